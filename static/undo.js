// Undo and redo in the template editor: steps through what the form had before each change. The server draws the blocks.
const form = document.querySelector("#editor"), button = () => document.querySelector("#undo");
const STEPS = 100;
const CONTENT = /^(name|alias|subject|body|mjml|blocks\[)/;
const past = [], future = [];

const content = () => new Map([...new FormData(form)].filter(([name]) => CONTENT.test(name)));
const isSame = (fields, other) => fields.size === other.size && [...fields].every(([name, text]) => other.get(name) === text);
// The blocks, without what is written in them.
const shape = (fields) => new Map([...fields].filter(([name]) => /\.(type|count)$/.test(name)));

let last = content(), typedIn = null;
let saved = form?.matches("[data-edited]") ? new Map() : last, sent = saved;

function remember(field) {
  const now = content();
  if (isSame(last, now)) return;
  if (!field && past.length && isSame(past.at(-1), now)) { // undone by the button that a deletion leaves
    past.pop();
    future.push(last);
  } else {
    if (!field || field !== typedIn) past.push(last);
    past.splice(0, past.length - STEPS);
    future.length = 0;
  }
  [last, typedIn] = [now, field];
  button().disabled = !past.length;
}

// A form that equals its saved state is left without a question.
const release = () => isSame(saved, content()) && form.removeAttribute("data-edited");

// What changed is in view, and has the focus if that was lost with the blocks that were replaced.
function show(field = button()) {
  const shown = field.type === "hidden" ? field.closest(".block").querySelector(".block-tools button") : field;
  shown.scrollIntoView({ block: "nearest" });
  if (document.activeElement === document.body) shown.focus();
}

async function step(from, to) {
  let fields = from.pop();
  while (fields && isSame(fields, content())) fields = from.pop();
  const before = content();
  if (fields) to.push(before);
  button().disabled = !past.length;
  if (!fields) return;
  typedIn = null;
  last = fields; // first, so that the answer is no change
  const first = [...fields.keys()].find((name) => before.get(name) !== fields.get(name));
  if (!isSame(shape(fields), shape(before))) {
    const values = { kind: form.elements.kind.value, ...Object.fromEntries(fields) };
    await htmx.ajax("POST", "/templates/blocks", { target: "#blocks", swap: "outerHTML", values });
  }
  const changed = [...fields].filter(([name, text]) => form.elements[name] && form.elements[name].value !== text);
  changed.forEach(([name, text]) => {
    form.elements[name].value = text;
    typed.delete(form.elements[name]);
  });
  last = content();
  show(form.elements[first]);
  form.dispatchEvent(new Event("input", { bubbles: true })); // for the preview
}

// A text field that was typed in has an undo of its own; one that a script wrote into has none.
const typed = new WeakSet();
const hasOwn = (field) => typed.has(field) && field.value !== field.defaultValue;

if (form) {
  form.addEventListener("input", ({ target, isTrusted }) => {
    if (!CONTENT.test(target.name ?? "")) return;
    typed[isTrusted ? "add" : "delete"](target);
    remember(target);
  });
  form.addEventListener("focusout", () => (typedIn = null));
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id === "blocks") {
      remember(null);
      release();
    }
    if (detail.target?.id !== "editor") return;
    last = content(); // as the server read it
    button().disabled = !past.length;
  });
  document.addEventListener("input", release); // after app.js, for which the form is edited now
  form.addEventListener("submit", () => (sent = content()));
  form.addEventListener("saved", () => { // a new template is changed from now on
    saved = sent;
    form.setAttribute("hx-post", (form.action = location.pathname));
    htmx.process(form);
  });
  const undo = () => step(past, future), redo = () => step(future, past);
  form.addEventListener("click", ({ target }) => target.closest("#undo") && undo());
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    const pressed = `${shiftKey ? "Shift+" : ""}${key.toLowerCase()}`, isRedo = ["Shift+z", "y"].includes(pressed);
    if (!(ctrlKey || metaKey) || altKey || !(isRedo ? future.length : pressed === "z" && past.length)) return;
    if (document.querySelector("dialog[open]") || (target.closest("input, textarea") && hasOwn(target))) return;
    event.preventDefault();
    isRedo ? redo() : undo();
  });
}
