// Text for a step of the server: what to do, what to change, how much is done.

/** Instructions whose text is the same in every task. */
const general = ["position-face", "hold-still", "come-back", "done"];

/**
 * Returns the texts of a step.
 *
 * - `told`: the instruction, or the question of the yes-or-no task; `own` is `true` if the integrator wrote it
 * - `hint`: what to change, or which direction to move; empty if there is none; its `look` is `change`, `guide` or
 *   `wrong`
 * - `count`: numbers of the attempt and the task, and how much of it is done; empty if nothing is counted
 */
export function wordsOf(step, texts) {
  const { instruction, hints, task, attempt } = step;
  const active = task && task.kind !== "head-turn" && step.state !== "positioning" && !general.includes(instruction);
  const words = active ? (tasks[task.kind] ?? unknownTask)(task.prompt ?? {}, texts) : turn(step, texts);
  const hint = hints.find((code) => texts.has(`hint.${code}`));
  const again = step.state === "positioning" && attempt?.last_reason ? why(attempt.last_reason, texts) : "";
  return {
    ...words,
    hint: hint ? texts.text(`hint.${hint}`) : again || (words.hint ?? ""),
    look: words.wrong || (again && !hint) ? "wrong" : hint ? "change" : "guide",
    count: [ofAttempts(attempt, texts), ofTasks(task, texts), words.count].filter(Boolean).join(" · "),
  };
}

function turn({ instruction, side }, texts) {
  const sided = `instruction.${instruction}.${side}`;
  return { told: texts.text(side && texts.has(sided) ? sided : `instruction.${instruction}`) };
}

function unknownTask(_, texts) {
  return { told: texts.text("instruction.follow") };
}

const tasks = {
  "complete-the-circle": ({ direction }, texts) => {
    const asked = `instruction.complete-the-circle.${direction}`;
    return { told: texts.text(texts.has(asked) ? asked : "instruction.complete-the-circle") };
  },
  "yes-or-no": ({ question, index, count, error }, texts) => ({
    told: question || texts.text("hint.upright"), // between two questions, the head returns to upright
    own: Boolean(question),
    hint: error || (question ? texts.text("instruction.yes-or-no") : ""),
    wrong: Boolean(error),
    count: count > 1 ? texts.text("count.questions", { number: index + 1, count }) : "",
  }),
  motions: (prompt, texts) => {
    const asked = `instruction.motions.${prompt.next}`;
    const pause = prompt.next ? "instruction.follow" : "check.starting";
    return { told: texts.text(texts.has(asked) ? asked : pause), count: done(prompt, texts) };
  },
  blink: (prompt, texts) => ({ told: texts.text("instruction.blink"), count: done(prompt, texts) }),
  "head-path": (prompt, texts) => ({
    told: texts.text("instruction.head-path"),
    hint: way(prompt, texts),
    count: done(prompt, texts),
  }),
  light: (_, texts) => ({ told: texts.text("instruction.light"), hint: texts.text("light.hint") }),
};

/** Returns the reason why the previous attempt failed, shown while the next one starts. */
function why(reason, texts) {
  return texts.has(`reason.${reason}.title`) ? texts.text(`reason.${reason}.title`) : "";
}

function ofAttempts(attempt, texts) {
  // An attempt that began again because the face was lost has the same number.
  return attempt?.number > 1 ? texts.text("count.attempts", { number: attempt.number, count: attempt.count }) : "";
}

function ofTasks(task, texts) {
  return task?.count > 1 ? texts.text("count.tasks", { number: task.index + 1, count: task.count }) : "";
}

function done({ done, count }, texts) {
  return count > 1 ? texts.text("count.done", { number: done, count }) : "";
}

const near = 0.12; // difference below which no direction is given

/** Describes the direction from the head to the moving target, for screen reader users. */
function way({ target, head }, texts) {
  if (!target || !head) return "";
  const [across, up] = [target[0] - head[0], target[1] - head[1]];
  const most = Math.max(Math.abs(across), Math.abs(up));
  if (most < near) return texts.text("toward.stay");
  // The smaller component is mentioned only if it is significant.
  const matters = (part) => Math.abs(part) >= Math.max(near, most * 0.4);
  const parts = [];
  if (matters(across)) parts.push(across > 0 ? "left" : "right");
  if (matters(up)) parts.push(up > 0 ? "up" : "down");
  return texts.text(`toward.${parts.join("-")}`);
}
