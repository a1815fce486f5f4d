// The brand's example follows the form.
const DELAY = 300; // milliseconds
const button = document.querySelector("#show-example");
let timer;

button.form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => button.form.ariaBusy || button.click(), DELAY); // a save would be lost
});
