// Three example requests to run a check from a backend, with the address of this server.

/** Returns the requests, each as one line to paste. */
function requests(origin) {
  return [
    `curl ${origin}/health/ready`,
    `curl -X POST ${origin}/v1/checks -H "Authorization: Bearer $MIEN_API_KEY" -H "Content-Type: application/json" -d '{}'`,
    `curl ${origin}/v1/checks/$ID -H "Authorization: Bearer $MIEN_API_KEY"`,
  ];
}

export function renderRecipe(list, origin, texts) {
  requests(origin).forEach((line, index) => {
    const item = document.createElement("li");
    item.append(caption(index + 1, texts), snippet(line, index + 1, texts));
    list.append(item);
  });
}

function caption(number, texts) {
  const caption = document.createElement("p");
  caption.className = "what";
  const mark = document.createElement("span");
  mark.className = "number";
  mark.textContent = String(number);
  mark.ariaHidden = "true";
  const words = document.createElement("span");
  words.textContent = texts.text(`home.start.${number}`);
  caption.append(mark, words);
  return caption;
}

function snippet(line, number, texts) {
  const box = document.createElement("div");
  box.className = "snippet";
  const pre = document.createElement("pre");
  pre.dir = "ltr";
  pre.tabIndex = 0; // a long line can also be scrolled by keyboard
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", texts.text("home.start.request", { number }));
  const code = document.createElement("code");
  code.textContent = line;
  pre.append(code);
  box.append(pre, copyButton(line, number, texts));
  return box;
}

function copyButton(line, number, texts) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "plain";
  button.textContent = texts.text("home.copy");
  button.setAttribute("aria-label", texts.text("home.copy.label", { number }));
  button.hidden = !navigator.clipboard; // needs a secure context
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = texts.text("home.copied");
      button.setAttribute("aria-label", texts.text("home.copied"));
    } catch {
      button.textContent = texts.text("home.copy-failed");
      button.setAttribute("aria-label", texts.text("home.copy-failed"));
    }
  });
  return button;
}
