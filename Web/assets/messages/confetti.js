// Celebratory burst of particles over an element; skipped if the user prefers reduced motion.

const pieces = 90;
const colors = ["--accent", "--wait", "--bad", "--focus"];

export function burst(over) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const canvas = Object.assign(document.createElement("canvas"), { className: "burst" });
  canvas.setAttribute("aria-hidden", "true");
  const [width, height] = [innerWidth, innerHeight];
  const scale = Math.min(2, devicePixelRatio);
  Object.assign(canvas, { width: width * scale, height: height * scale });
  document.body.append(canvas);
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const box = over.getBoundingClientRect();
  const flying = Array.from({ length: pieces }, (_, index) => {
    const angle = Math.random() * 2 * Math.PI;
    const speed = 180 + Math.random() * 420;
    return {
      x: box.left + box.width / 2, y: box.top + box.height / 2, size: 4 + Math.random() * 6, turn: Math.random() * 6,
      across: Math.cos(angle) * speed, down: Math.sin(angle) * speed - 180,
      color: style.getPropertyValue(colors[index % colors.length]),
    };
  });
  let before = null;
  let age = 0;
  requestAnimationFrame(function draw(now) {
    const seconds = Math.min(0.05, (now - (before ?? now)) / 1000);
    before = now;
    age += seconds;
    if (age > 1.8) return canvas.remove();
    context.clearRect(0, 0, width, height);
    context.globalAlpha = Math.min(1, 2 * (1.8 - age));
    for (const piece of flying) {
      piece.down += 700 * seconds;
      piece.x += piece.across * seconds;
      piece.y += piece.down * seconds;
      context.save();
      context.translate(piece.x, piece.y);
      context.rotate(piece.turn + age * 5);
      context.fillStyle = piece.color;
      context.fillRect(-piece.size / 2, -piece.size / 3, piece.size, piece.size / 1.5);
      context.restore();
    }
    requestAnimationFrame(draw);
  });
}
