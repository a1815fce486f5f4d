// What is typed while an answer is on its way stays, if the answer has the field as it was sent; blocks may have moved.
const FIELDS = ":is(input:not([type=file]), select, textarea)[id]", sent = new WeakMap(), typed = new WeakMap(); // by request
const stateOf = (field) => (/checkbox|radio/.test(field.type) ? "checked" : "value");
const states = () => new Map([...document.querySelectorAll(FIELDS)].map((field) => [field.id, field[stateOf(field)]]));

document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => sent.set(xhr, states()));
document.addEventListener("htmx:beforeSwap", ({ detail: { xhr } }) => typed.set(xhr, states()));
document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => {
  typed.get(xhr)?.forEach((now, id) => {
    const before = sent.get(xhr).get(id);
    if (now !== before) keep(id, before, now);
  });
});
function keep(id, before, now) {
  const same = document.getElementById(id), isAsSent = (field) => field?.[stateOf(field)] === before;
  if (same?.[stateOf(same)] === now) return; // it was not replaced
  const moved = before && id.startsWith("f-blocks[") ? [...document.querySelectorAll(`#blocks ${FIELDS}`)].filter(isAsSent) : [];
  const field = isAsSent(same) ? same : moved.length === 1 && moved[0];
  if (!field) return;
  field[stateOf(field)] = now;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
