// The preview of blocks: words are edited in place, and a click on anything else leads to the fields of its block, or to
// the brand.
const form = document.querySelector("#editor"), preview = document.querySelector("#preview");
const MARKED = ":is([class*='block-at-'], .brand-logo)", NUMBERS = /block-at-(\d+)(?:-(\d+)-(\d+))?/;
const WORDS = { heading: "h1, h2, h3", text: "div", button: "a" };
const STYLE = `${MARKED} { cursor: pointer; }
  ${MARKED}:hover, [contenteditable] { outline: 2px solid #3d7bf0; outline-offset: -2px; }
  [contenteditable] { cursor: text; }`;
const prepared = new WeakSet();
let editing = null, scrolled = 0;

function cardOf(element) {
  const [, block, column, inner] = element.getAttribute("class").match(NUMBERS) ?? [];
  const name = inner ? `blocks[${block}].columns[${column}][${inner}]` : `blocks[${block}]`;
  return form.elements[`${name}.type`]?.closest(".block");
}

function press(event) {
  event.preventDefault(); // a link leads nowhere
  const { target, clientX, clientY } = event, page = target.ownerDocument;
  const element = target.closest(MARKED), card = element && cardOf(element);
  if (element?.matches(".brand-logo")) document.querySelector("#to-brand").click();
  if (!card || editing?.words.contains(target) || !page.getSelection().isCollapsed) return; // words are selected
  const field = card.querySelector(".input, summary"), words = WORDS[card.querySelector("[type=hidden]").value];
  if (!words || !edit(element.querySelector(words), field)) {
    if (!field.offsetParent) location.hash = "editor"; // a phone shows either the form or the preview
    field.focus();
    return;
  }
  card.scrollIntoView({ block: "nearest" });
  const caret = page.caretPositionFromPoint?.(clientX, clientY);
  if (caret && editing.words.contains(caret.offsetNode)) page.getSelection().collapse(caret.offsetNode, caret.offset);
}

// Shows the words as they are written, with merge tags and Markdown.
function edit(words, field) {
  words.setAttribute("contenteditable", "plaintext-only");
  if (!words.isContentEditable) return false; // an older browser
  if (words.textContent !== field.value) words.textContent = field.value;
  words.style.whiteSpace = "pre-wrap"; // and later as well, or the next click would miss what moves
  words.role = "textbox";
  words.ariaLabel = field.labels[0].textContent;
  words.focus();
  editing = { words, field };
  return true;
}

function write() {
  const { words, field } = editing, text = words.innerText.replace(/\n$/, ""); // the last line ends with one more
  field.value = field.matches("textarea") ? text : text.replace(/\s*\n\s*/g, " ");
  field.dispatchEvent(new Event("input", { bubbles: true })); // for Undo
}

function leave() {
  if (!editing) return;
  const { words, field } = editing;
  editing = null;
  words.removeAttribute("contenteditable");
  field.dispatchEvent(new FocusEvent("focusout", { bubbles: true })); // what is written next is another step of Undo
  htmx.trigger(preview, "left");
}

function end(event) {
  if (!editing || event.isComposing) return;
  const { field } = editing;
  // Tab as well: the frame is swapped once the words are left, and the focus in it would be lost.
  if (!["Escape", "Tab"].includes(event.key) && (event.key !== "Enter" || field.matches("textarea"))) return;
  event.preventDefault();
  finish();
}

function finish() {
  const { words, field } = editing;
  words.blur();
  field.focus();
}

// Ctrl+K and Ctrl+S belong to the page, so the frame passes them on.
function pass(event) {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || !["k", "s"].includes(key)) return;
  if (editing && key === "s") finish();
  if (!frame().dispatchEvent(new KeyboardEvent(event.type, event))) event.preventDefault();
}

function prepare(frame) {
  const page = frame?.contentDocument; // none in the other views
  if (prepared.has(page) || !page?.querySelector(MARKED)) return;
  prepared.add(page);
  const style = document.createElement("style");
  style.textContent = STYLE;
  page.head.append(style);
  Object.entries({ click: press, input: write, focusout: leave }).forEach(([name, act]) => page.addEventListener(name, act));
  page.addEventListener("keydown", (event) => [end, pass].forEach((act) => act(event)));
  frame.contentWindow.scrollTo(0, scrolled);
}

const frame = () => preview.querySelector("iframe");
document.addEventListener("load", ({ target }) => target === frame() && prepare(target), true);
if (frame()?.contentDocument?.readyState === "complete") prepare(frame());
// The preview stays as it is while it is written in.
preview.addEventListener("htmx:beforeRequest", (event) => editing && event.preventDefault());
preview.addEventListener("htmx:beforeSwap", ({ detail }) => {
  detail.shouldSwap &&= !editing;
  if (frame()?.contentDocument) scrolled = frame().contentWindow.scrollY;
});
