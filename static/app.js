// What the pages do beyond HTML and htmx. Everything works without it.
const find = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const on = (names, act) => names.split(" ").forEach((name) => document.addEventListener(name, act));

function copy(button) {
  const area = document.createElement("textarea"); // plain http has no navigator.clipboard
  area.value = button.dataset.copy || document.getElementById(button.dataset.copyFrom).textContent;
  area.className = "sr";
  button.after(area); // an open dialog lets nothing outside it have the focus
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  button.focus();
  button.classList.toggle("copied", isCopied);
  button.dataset.label ||= button.title;
  button.title = button.ariaLabel = isCopied ? "Copied" : "Couldn't copy. Select the text instead";
  setTimeout(() => {
    button.classList.remove("copied");
    button.title = button.ariaLabel = button.dataset.label;
  }, 1600);
}
function reveal(button) {
  const input = document.getElementById(button.getAttribute("aria-controls")), isShown = input.type === "password";
  input.type = isShown ? "text" : "password";
  button.textContent = isShown ? button.dataset.hide || "Hide" : button.dataset.show || "Show";
  button.ariaPressed = isShown;
}
// Writes Markdown around the selected words of each line; what has no end is written before whole lines.
function mark(button) {
  const area = find("textarea", button.closest(".field")), { before, after = "", words, select = words } = button.dataset;
  const first = after ? area.selectionStart : area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const last = after ? area.selectionEnd : `${area.value}\n`.indexOf("\n", area.selectionEnd);
  const text = area.value.slice(first, last) || words;
  const marked = text.replace(/\S(.*\S)?/g, (line) => before + line + after), at = first + marked.indexOf(select);
  area.focus();
  area.setSelectionRange(first, last);
  document.execCommand("insertText", false, marked); // as if typed: the preview follows, and it can be undone
  if (marked.includes(select)) area.setSelectionRange(at, at + select.length);
}
function close(link, event) {
  event.preventDefault();
  link.closest("dialog").close();
}
const dismiss = (button) => button.closest(".note").remove();
const leave = (dialog, { target }) => target === dialog && dialog.close(); // a press beside the search
const presses = {
  "[data-dismiss]": dismiss, ".copy": copy, "[data-reveal]": reveal, "[data-before]": mark, "dialog [data-close]": close,
  "dialog:has(.search-all)": leave,
};
on("click", (event) => Object.entries(presses).forEach(([selector, press]) => {
  const pressed = event.target.closest(selector);
  if (pressed) press(pressed, event);
}));
on("click keydown", ({ key, target }) => all("details.menu[open]").forEach((menu) => { // elsewhere, or Escape
  if (key ? key === "Escape" : !menu.contains(target)) menu.open = false;
}));

// A phone shows an email as phones do, until the desktop is asked for.
all("#view-desktop:checked ~ #view-phone").forEach((view) => (view.checked = matchMedia("(max-width: 40rem)").matches));
// A browser may call its zone by a former name, to which it resolves today's as well.
function zoneOf(timeZone) {
  try {
    return Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return ""; // a zone newer than the browser
  }
}
const zones = all("[data-guess-timezone] option"), zone = zoneOf();
const guess = zones.find(({ value }) => value === zone) ?? zones.find(({ value }) => zoneOf(value) === zone);
if (guess) guess.selected = true;

on("change", ({ target: { checked, dataset, form } }) => { // the box above a column ticks all below it
  if (dataset.tickAll) all(`[name=${dataset.tickAll}]`, form).forEach((box) => (box.checked = checked));
});
const count = (words) => {
  const whole = find("[name=all]:checked", words.closest("form"))?.dataset.count;
  words.textContent = `${whole ?? all(`[name=${words.dataset.counts}]:checked`, words.closest("form")).length} selected`;
};
on("change", () => all("[data-counts]").forEach(count));
addEventListener("pageshow", () => all("[data-counts]").forEach(count)); // a browser may tick boxes as they were

on("change", ({ target: { dataset } }) => { // what an empty subject becomes with the chosen template
  if ("subject" in dataset) find("#f-subject").placeholder = dataset.subject;
});

const PORTS = { smtp_security: { tls: "465", starttls: "587" }, bounce_imap_security: { tls: "993", starttls: "143" } };
on("change", ({ target: { name, value, form } }) => { // the port follows, unless it is one of the person's own
  const ports = PORTS[name], port = form?.elements[name.replace("security", "port")];
  if (ports?.[value] && ["", ...Object.values(ports)].includes(port.value)) port.value = ports[value];
});

on("input", ({ target }) => { // 1 week, 2 weeks
  if (!target.matches(".of-rhythm input")) return;
  const ending = target.value.trim() === "1" ? "" : "s";
  all("option", target.closest(".row")).forEach((option) => (option.text = option.value + ending));
});

// A slow network never submits twice.
function rest(form, isResting) {
  [...form.elements].filter((button) => button.matches("button[type=submit]")).forEach((button) => {
    button.disabled = isResting;
    button.ariaBusy = form.ariaBusy = isResting || null;
    button.dataset.idle ||= button.textContent;
    if (button.dataset.busy) button.textContent = isResting ? button.dataset.busy : button.dataset.idle;
  });
}
// A button that sends into a frame is the browser's, also in a form that htmx sends.
document.addEventListener("submit", (event) => event.submitter?.formTarget && event.stopPropagation(), true);
let focused, resting; // what had the focus when a form was sent, which may be a button, and the timer that disables them
on("submit", (event) => {
  const { target: form } = event;
  if (form.method !== "post") return;
  if (!navigator.onLine && !form.matches("[hx-post]")) { // the browser's own page would lose what was typed
    event.preventDefault();
    return say("offline");
  }
  focused = document.activeElement;
  resting = setTimeout(rest, 0, form, form.ariaBusy = true); // after the browser has taken the pressed button's value
  setTimeout(rest, 30_000, form, false); // should the answer never come
  if (!form.matches("[data-asks], :has(.danger)")) return;
  all("[data-edited]").forEach((edited) => edited.removeAttribute("data-edited"));
});
on("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (!elt.matches("form")) return;
  const isDone = Boolean(xhr.getResponseHeader("HX-Redirect"));
  clearTimeout(resting); // a request may fail before it
  rest(elt, isDone);
  if (!isDone && document.activeElement === document.body) focused?.focus({ preventScroll: true });
  if (isDone || xhr.getResponseHeader("HX-Trigger-After-Swap") === "saved") return;
  elt.setAttribute("data-edited", "");
});
on("htmx:beforeSwap", ({ detail: { xhr } }) => { // a refused form was saved earlier at most
  if (xhr.status === 422) all("#notes > .good").forEach((note) => note.remove());
});
addEventListener("pageshow", ({ persisted }) => persisted && all("form").forEach((form) => rest(form, false)));
// Nobody leaves a long form that they have changed without a question.
on("input", ({ target }) => target.closest("form")?.setAttribute("data-edited", ""));
on("keydown", (event) => { // Ctrl+S saves it, from any of its fields
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event, save = find("form[data-asks] .main-action[type=submit]");
  if (!save || !(ctrlKey || metaKey) || shiftKey || altKey || key.toLowerCase() !== "s" || find("dialog[open]")) return;
  event.preventDefault();
  save.click(); // unless it is disabled; htmx takes this button's values then
});
addEventListener("beforeunload", (event) => {
  if (!find("[data-asks][data-edited]")) return;
  event.preventDefault();
  setTimeout(() => all("form").forEach((form) => rest(form, false)), 500); // for those who stay
});

on("htmx:beforeSend", ({ detail: { elt, requestConfig } }) => { // it is kept for a choice made before the answer
  const field = requestConfig.parameters.do === "add" && find("select[name=add][hx-preserve]", elt);
  if (field) field.value = "";
});
on("htmx:afterSwap", ({ detail, target }) => {
  const { id } = detail.target || target; // what an event brings names none
  if (id === "dialog") find("#dialog").showModal();
  if (id === "matches" && find("#matches .num")) all(".condition").forEach(settle); // the conditions are complete
  if (detail.xhr?.status === 422) find("form :is([role=alert], .error)")?.scrollIntoView({ block: "nearest" });
  if (detail.requestConfig?.elt.matches(".sifter") && !detail.requestConfig.parameters.do) reach(find("#contacts > *"));
  if (detail.requestConfig?.elt === failed) find("#notes > .failed")?.remove();
  if (id === "content" && detail.xhr?.status === 200 && detail.requestConfig.elt.matches("form")) find("#content").focus(); // another page, after a form
  const show = id === "preview" && find("#show-preview");
  if (show) show.click(); // into the frame
});
const reach = (part) => part.getBoundingClientRect().bottom > innerHeight && part.scrollIntoView(); // from a long form
on("saved filled", ({ target }) => settle(target));
function settle(area) {
  all(".field:has(> .error:only-child), .error, .note.bad", area).forEach((error) => error.remove());
  all("[aria-invalid]", area).forEach((input) => {
    const hints = input.getAttribute("aria-describedby") ?? "";
    input.setAttribute("aria-describedby", hints.replace(/\S+-error/, ""));
    input.removeAttribute("aria-invalid");
  });
}
const polls = (part) => part.matches("[hx-trigger^=every]");
let failed; // the part whose request did
on("htmx:responseError htmx:sendError", ({ detail: { elt, xhr } }) => {
  if (polls(elt)) return;
  failed = elt;
  say({ 0: "offline", 401: "signed-out", 404: "gone", 413: "too-large" }[xhr.status] || "failed", xhr.status);
});
function say(why, answered) {
  const note = find(`#note-${why}`).content.cloneNode(true);
  all("[data-status]", note).forEach((status) => (status.textContent = answered));
  find("#notes").replaceChildren(note);
}
