// Images for a field: one of the media library, or a file that is uploaded by its button or dropped.
const areaOf = ({ target }) => target.closest?.("[data-images]");

function choose(area, url) {
  const field = document.getElementById(`f-${area.dataset.images}`);
  field.value = url;
  area.querySelectorAll("[type=radio]").forEach((radio) => (radio.checked = false)); // or it would win over the field
  area.querySelector("details").open = false;
  area.querySelector("summary").focus(); // not the field: a phone's keyboard would cover the image
  field.closest(".field").dispatchEvent(new Event("filled", { bubbles: true }));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

async function upload(area, file) {
  const body = new FormData();
  body.append("csrf_token", area.closest("form").elements.csrf_token.value);
  body.append("field", area.dataset.images);
  body.append("file", file);
  area.ariaBusy = true;
  const answer = await fetch("/media/choices", { method: "POST", body }).catch(() => null);
  area.ariaBusy = null;
  if (!answer?.ok && answer?.status !== 422) {
    htmx.trigger(area, "htmx:responseError", { elt: area, xhr: { status: answer?.status ?? 0 } });
    return;
  }
  document.querySelector("#notes > .failed")?.remove();
  const choices = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(".image-choices");
  area.querySelector(".image-choices").replaceWith(choices);
  if (choices.dataset.chosen) choose(area, choices.dataset.chosen);
  else area.querySelector("details").open = true;
}

document.addEventListener("change", (event) => {
  const { target } = event, area = areaOf(event);
  if (area && target.type === "radio") choose(area, target.value);
  if (!area || !target.matches("[data-upload]") || !target.files[0]) return;
  upload(area, target.files[0]);
  target.value = ""; // so that the same file can be chosen again
});
document.addEventListener("input", (event) => {
  const { target } = event, area = areaOf(event), image = area?.querySelector(".picked");
  if (!image || target.id !== `f-${area.dataset.images}`) return;
  const { own } = image.dataset;
  image.hidden = !target.value.startsWith(own);
  image.src = image.hidden ? "data:," : `/m/${target.value.slice(own.length)}`;
});
document.addEventListener("dragover", (event) => {
  const area = event.dataTransfer.types.includes("Files") && areaOf(event);
  document.querySelectorAll("[data-images]").forEach((other) => other.classList.toggle("over", other === area));
  if (area) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  const area = areaOf(event), [file] = event.dataTransfer.files;
  if (!area || !file) return;
  event.preventDefault();
  area.classList.remove("over");
  upload(area, file);
});
