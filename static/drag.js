// A block is dragged by its grip within its list; the server moves it, as it does for Up and Down.
const all = (selector, from) => [...from.querySelectorAll(selector)];

document.addEventListener("pointerdown", (event) => {
  const grip = event.target.closest(".grip"), block = grip?.closest(".block");
  if (!block || event.button) return;
  const list = all(":scope > .block", block.parentElement), others = list.filter((other) => other !== block);
  let y, to = list.indexOf(block);
  const follow = () => {
    if (!grip.isConnected) clearInterval(timer); // another answer took its place
    if (!y || !grip.isConnected) return;
    scrollBy(0, y < 70 ? -12 : y > innerHeight - 70 ? 12 : 0); // at the edges of the screen
    block.style.translate = `0 ${y + scrollY - event.pageY}px`;
    to = others.map((other) => other.getBoundingClientRect()).filter(({ top, bottom }) => top + bottom < 2 * y).length;
    others.forEach((other, at) => (other.dataset.drop = at === to ? "before" : at === to - 1 ? "after" : ""));
  };
  const timer = setInterval(follow, 16);
  grip.setPointerCapture(event.pointerId);
  grip.onpointermove = (moved) => (y = moved.clientY);
  grip.onpointercancel = () => ([y, to] = [0, list.indexOf(block)]);
  grip.onlostpointercapture = () => {
    follow();
    clearInterval(timer);
    block.style.translate = "";
    others.forEach((other) => delete other.dataset.drop);
    grip.value = `move ${to} ${grip.dataset.block}`;
    if (to !== list.indexOf(block)) htmx.trigger(grip, "moved");
  };
});
