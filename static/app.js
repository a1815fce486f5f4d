// What the pages do beyond HTML and htmx. Everything works without it.
"use strict";

document.documentElement.classList.add("js");

const NEWS_SECONDS = 10;
const SECONDS_TILL_USABLE = 30; // a submit button wakes again, should the answer never come

function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea"); // plain http away from localhost has no clipboard
  area.value = text;
  area.className = "sr";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
}

async function copy(button) {
  const source = button.dataset.copy || document.getElementById(button.dataset.copyFrom).textContent;
  const label = button.getAttribute("aria-label");
  let said = "Copied";
  try {
    await copyText(source);
    button.classList.add("copied");
  } catch {
    said = "Couldn't copy. Select the text instead";
  }
  button.setAttribute("aria-label", said);
  button.title = said;
  setTimeout(() => {
    button.classList.remove("copied");
    button.setAttribute("aria-label", label);
    button.title = label;
  }, 1600);
}

function reveal(button) {
  const input = document.getElementById(button.getAttribute("aria-controls"));
  const shown = input.type === "text";
  input.type = shown ? "password" : "text";
  button.textContent = shown ? "Show" : "Hide";
  button.setAttribute("aria-pressed", String(!shown));
}

function closeMenus(except) {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(except)) menu.open = false;
  });
}

document.addEventListener("click", (event) => {
  const copyButton = event.target.closest(".copy");
  if (copyButton) copy(copyButton);
  const revealButton = event.target.closest("[data-reveal]");
  if (revealButton) reveal(revealButton);
  const closer = event.target.closest("[data-close]");
  if (closer && closer.closest("dialog")) {
    event.preventDefault();
    closer.closest("dialog").close();
  }
  closeMenus(event.target);
});
document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeMenus(null); });

// A provider's name fills in its host, port and security.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-fills]")) return;
  const known = event.target.selectedOptions[0].dataset;
  const form = event.target.form;
  const host = form.elements.namedItem("smtp_host");
  if (!known.host && [...event.target.options].some((option) => option.dataset.host === host.value)) {
    host.value = form.elements.namedItem("smtp_port").value = ""; // another provider's
    form.elements.namedItem("smtp_security").value = "auto";
  }
  for (const [name, value] of Object.entries(known)) {
    const input = form.elements.namedItem(`smtp_${name}`);
    if (input) input.value = value;
  }
  document.getElementById("provider-note").textContent = known.note || "";
});

// A phone shows an email as phones do, until the desktop is asked for.
const phoneView = document.getElementById("view-phone");
if (phoneView && matchMedia("(max-width: 40rem)").matches && document.getElementById("view-desktop").checked) phoneView.checked = true;

document.addEventListener("change", ({ target }) => {
  const name = target.dataset.tickAll; // the box above a column ticks all below it
  if (name) target.form.querySelectorAll(`[name=${name}]`).forEach((box) => (box.checked = target.checked));
});

// A slow network never submits twice.
function rest(form, resting) {
  form.querySelectorAll("button[type=submit]").forEach((button) => {
    button.disabled = resting;
    resting ? button.setAttribute("aria-busy", "true") : button.removeAttribute("aria-busy");
    if (button.dataset.busy) {
      button.dataset.idle ||= button.textContent;
      button.textContent = resting ? button.dataset.busy : button.dataset.idle;
    }
  });
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || event.submitter?.formTarget) return;
  setTimeout(() => rest(form, true)); // after the browser has taken the pressed button's value
  setTimeout(() => rest(form, false), SECONDS_TILL_USABLE * 1000);
});
document.addEventListener("htmx:beforeSend", ({ detail }) => { // htmx prevents the form's own submit
  if (detail.elt.matches("form")) rest(detail.elt, true);
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.elt.matches("form")) return;
  const isDone = Boolean(detail.xhr.getResponseHeader("HX-Redirect"));
  rest(detail.elt, isDone);
  detail.elt.toggleAttribute("data-edited", !isDone);
});
// Nobody leaves a long form that they have changed without a question.
document.addEventListener("input", ({ target }) => target.closest("form")?.setAttribute("data-edited", ""));
document.addEventListener("submit", ({ target, submitter }) => {
  if (submitter?.formTarget || !(target.matches("[data-asks]") || target.querySelector(".danger"))) return;
  document.querySelectorAll("[data-asks]").forEach((form) => form.removeAttribute("data-edited"));
});
window.addEventListener("beforeunload", (event) => {
  if (document.querySelector("[data-asks][data-edited]")) event.preventDefault();
});
window.addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("form").forEach((form) => rest(form, false));
});

document.querySelectorAll("select[data-guess-timezone]").forEach((select) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && [...select.options].some((option) => option.value === zone)) select.value = zone;
});

function complain(event, text) {
  if (polls(event)) return;
  const note = document.getElementById("note-failed").content.cloneNode(true);
  note.querySelector("[data-text]").textContent = text;
  document.getElementById("notes").replaceChildren(note);
}
document.addEventListener("htmx:afterSwap", (event) => {
  const target = event.detail.target || event.target; // what an event brings names none
  if (target.id === "dialog") target.showModal();
  if (target.id === "preview") document.getElementById("show-preview")?.click(); // into the frame that came
});
document.addEventListener("htmx:responseError", (event) => {
  complain(event, `Something went wrong (${event.detail.xhr.status}). Reload the page and try again.`);
});
document.addEventListener("htmx:sendError", (event) => {
  complain(event, "The server didn't respond. Check your connection and try again.");
});

let hears = false; // what is told of changes by events does not ask for them
["htmx:sseOpen", "htmx:sseError", "htmx:sseClose"].forEach((name) => document.addEventListener(name, () => {
  hears = name === "htmx:sseOpen";
  if (hears && document.hidden) connect(); // a tab that was opened behind another
}));
// A browser has six connections for all tabs of a site: a tab that nobody sees gives its own back.
function connect() {
  const parts = document.querySelectorAll("[sse-connect], [sse-connect] [sse-swap]");
  parts.forEach((part) => htmx.trigger(part, "htmx:beforeCleanupElement")); // the extension closes
  if (!document.hidden) parts.forEach((part) => htmx.trigger(part, "htmx:afterProcessNode")); // and opens anew
}
document.addEventListener("visibilitychange", connect);

// On a page that refreshes itself, what was just done is old news soon.
setTimeout(() => {
  if (document.querySelector("[hx-trigger^=every]")) document.querySelectorAll("#notes .good").forEach((note) => note.remove());
}, NEWS_SECONDS * 1000);

// What refreshes itself waits while nobody looks, or while somebody reads with the keyboard or selects text in it.
function polls(event) {
  return event.detail.elt.matches("[hx-trigger^=every]");
}
document.addEventListener("htmx:beforeRequest", (event) => {
  const part = event.detail.elt;
  const selection = getSelection();
  const isRead = part.contains(document.activeElement) || (!selection.isCollapsed && selection.containsNode(part, true));
  if (polls(event) && (document.hidden || isRead || (hears && part.matches("[sse-swap]")))) event.preventDefault();
});
