// The example beside a form, in a frame, follows it. A refused form comes with new ones of both.
const DELAY = 300; // milliseconds
const button = () => document.querySelector("#show-example");
let timer;

function follow(delay) {
  clearTimeout(timer);
  timer = setTimeout(() => button().form.ariaBusy || button().click(), delay); // a save would be lost
}

document.addEventListener("input", (event) => event.target.form === button().form && follow(DELAY));
document.addEventListener("htmx:afterSettle", ({ target }) => target.closest("#content") && follow(0));
const [frame] = document.getElementsByName(button().formTarget);
if (!frame.hasAttribute("src")) follow(0);
