// Tasks requested by the integrator, validated early: an invalid one is a programming error, not a failure of the user.

const kinds = ["head-turn", "complete-the-circle", "yes-or-no", "motions", "blink", "head-path", "light"];
const difficulties = ["easy", "medium", "hard"];
const mostTimes = 100;

/**
 * Converts tasks to the server's format. Each is a name or `{ kind, difficulty, timeout, … }`; the vendor's spelling
 * (`completeTheCircle`, `yesOrNo`, `id` for `kind`) is accepted. Throws a `TypeError` that describes the mistake.
 */
export function readTasks(tasks) {
  if (tasks === null || tasks === undefined) return null;
  if (!Array.isArray(tasks)) throw new TypeError("tasks must be a list");
  return tasks.map((task, index) => readTask(task, `task ${index + 1}`));
}

function readTask(task, name) {
  const { kind, id, ...options } = typeof task === "string" ? { kind: task } : (task ?? {});
  const found = String(kind ?? id ?? "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(kinds.includes(found), `${name}: the kind must be one of ${kinds.join(", ")}`);
  const { difficulty, timeout, questions, maxNods, maxBlinks } = options;
  expect(difficulty === undefined || difficulties.includes(difficulty), `${name}: no such difficulty`);
  expect(timeout === undefined || (Number.isFinite(timeout) && timeout > 0), `${name}: timeout is in milliseconds`);
  for (const most of [maxNods, maxBlinks]) {
    const fits = Number.isInteger(most) && most >= 1 && most <= mostTimes;
    expect(most === undefined || fits, `${name}: 1 to ${mostTimes} times`);
  }
  if (found === "yes-or-no") {
    expect(Array.isArray(questions) && questions.length > 0, `${name}: questions are missing`);
    for (const { question, answer } of questions) {
      expect(typeof question === "string" && question.trim() !== "", `${name}: a question is empty`);
      expect(typeof answer === "boolean", `${name}: an answer must be true or false`);
    }
  }
  return { kind: found, ...options };
}

function expect(condition, complaint) {
  if (!condition) throw new TypeError(`mien-liveness: ${complaint}`);
}
