// A step of the server in words: what to do, what to change, how far it is.

/** Instructions that say the same in every task. */
const general = ["position-face", "hold-still", "come-back", "done"];

/**
 * The words of a step.
 *
 * - `told`: the instruction, or the question of the yes-or-no task; `own`: it is in the integrator's words
 * - `hint`: what to change, or which way to go; empty for nothing; its `look` is `change`, `guide` or `wrong`
 * - `count`: which task of how many, and how much of it is done; empty for nothing
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
    told: question || texts.text("hint.upright"), // between two questions the head comes back
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
};

/** Why the attempt before did not pass, said while the next one begins. */
function why(reason, texts) {
  return texts.has(`reason.${reason}.title`) ? texts.text(`reason.${reason}.title`) : "";
}

function ofAttempts(attempt, texts) {
  return attempt?.last_reason ? texts.text("count.attempts", { number: attempt.number, count: attempt.count }) : "";
}

function ofTasks(task, texts) {
  return task?.count > 1 ? texts.text("count.tasks", { number: task.index + 1, count: task.count }) : "";
}

function done({ done, count }, texts) {
  return count > 1 ? texts.text("count.done", { number: done, count }) : "";
}

const near = 0.12; // a difference that nobody would put into words

/** Which way the head has to go, for those who listen: the moving target in words. */
function way({ target, head }, texts) {
  if (!target || !head) return "";
  const [across, up] = [target[0] - head[0], target[1] - head[1]];
  const most = Math.max(Math.abs(across), Math.abs(up));
  if (most < near) return texts.text("toward.stay");
  // The lesser direction is only said when it matters.
  const matters = (part) => Math.abs(part) > Math.max(near, most * 0.4);
  const parts = [];
  if (matters(across)) parts.push(across > 0 ? "left" : "right");
  if (matters(up)) parts.push(up > 0 ? "up" : "down");
  return texts.text(`toward.${parts.join("-")}`);
}
