// Search, copy buttons, and the page list folded on phones. Without this script the site reads the same.

const base = document.body.dataset.base;
const query = document.getElementById("query");
const found = document.getElementById("found");
query.closest("search").hidden = false;

// On phones the list of pages is closed at first.
if (matchMedia("(max-width: 59.99rem)").matches) document.querySelector(".pages details").open = false;
document.querySelector('.pages [aria-current="page"]')?.scrollIntoView({ block: "nearest" });

for (const block of document.querySelectorAll("main pre")) {
  const frame = document.createElement("div");
  frame.className = "code";
  block.replaceWith(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  frame.append(block, button);
}

let loading;

/** Loads the index at the first search: it is larger than the pages. */
function index() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${base}search-index.js`;
    script.addEventListener("load", () => resolve(globalThis.documentationIndex));
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  return loading;
}

/** Returns sections that contain every word: first those with the words in their headings. */
function matches(sections, words) {
  const scored = [];
  for (const [address, page, heading, anchor, text] of sections) {
    const places = [heading.toLowerCase(), page.toLowerCase(), text.toLowerCase()];
    let score = 0;
    for (const word of words) {
      const place = places.findIndex((content) => content.includes(word));
      if (place < 0) { score = 0; break; }
      score += 4 >> place;
    }
    if (score > 0) scored.push({ score, address, page, heading, anchor });
  }
  return scored.sort((one, other) => other.score - one.score).slice(0, 12);
}

let selected = -1;

function select(number) {
  const options = [...found.querySelectorAll('[role="option"]')];
  selected = options.length ? (number + options.length) % options.length : -1;
  for (const [place, option] of options.entries()) option.setAttribute("aria-selected", String(place === selected));
  const option = options[selected];
  option?.scrollIntoView({ block: "nearest" });
  if (option) query.setAttribute("aria-activedescendant", option.id);
  else query.removeAttribute("aria-activedescendant");
}

function close() {
  found.hidden = true;
  query.setAttribute("aria-expanded", "false");
  query.removeAttribute("aria-activedescendant");
}

async function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return close();
  const results = matches(await index(), words);
  found.replaceChildren(...results.map(({ address, page, heading, anchor }, number) => {
    const item = document.createElement("li");
    item.role = "option";
    item.id = `result-${number}`;
    const link = document.createElement("a");
    link.href = `${base}${address}${anchor ? `#${anchor}` : ""}`;
    link.tabIndex = -1;
    link.textContent = heading;
    const where = document.createElement("small");
    where.textContent = page;
    link.append(where);
    item.append(link);
    return item;
  }));
  if (!results.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "Nothing found. Try fewer words.";
    found.append(none);
  }
  found.hidden = false;
  query.setAttribute("aria-expanded", "true");
  select(0);
}

query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    select(selected + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter") {
    found.querySelector('[aria-selected="true"] a')?.click();
  } else if (event.key === "Escape") {
    close();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea")) return;
  event.preventDefault();
  query.focus();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("search")) close();
});
