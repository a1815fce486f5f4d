// The brand's example follows the form.
const DELAY = 300; // milliseconds
let timer;

document.addEventListener("input", ({ target }) => {
  if (!target.closest("#brand")) return;
  clearTimeout(timer);
  timer = setTimeout(() => document.querySelector("#show-example").click(), DELAY);
});
