"use strict";
// Uses the Explore view as a reader does: every choice, the keys, the legend.
function explored() {
  const place = document.getElementById("explore-view");
  if (!place || place.hidden) return null;
  const svg = place.querySelector(".plot > svg"), values = place.querySelector("output");
  const marks = () => [...svg.querySelectorAll("[data-of]")].map((mark) => mark.dataset.of);
  const names = () => [...new Set(marks())];
  const press = (target, key, more = {}) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  const legend = [...place.querySelectorAll(".legend button")];
  const views = place.querySelector("select");
  const found = { hidden: place.hidden, views: [], empty: [], room: svg.clientWidth };
  for (let view = 0; view < views.options.length; view += 1) {
    views.selectedIndex = view;
    views.dispatchEvent(new Event("change"));
    const seen = { title: views.value, names: names(), says: [], choices: {} };
    // Each option of each choice shows something.
    for (let at = 0; at < place.querySelectorAll(".choices select").length; at += 1) {
      const list = place.querySelectorAll(".choices select")[at];
      seen.choices[list.parentElement.textContent.split(" ")[0]] = [...list.options].map((option) => option.value);
      for (let option = list.options.length - 1; option >= 0; option -= 1) {
        list.selectedIndex = option;
        list.dispatchEvent(new Event("change"));
        if (marks().length === 0) found.empty.push(`${views.value}: ${list.value}`);
      }
    }
    svg.focus();
    for (let step = 0; step < 3; step += 1) {
      press(svg, "ArrowRight");
      seen.says.push(values.textContent);
    }
    press(svg, "ArrowDown");
    seen.says.push(values.textContent);
    const ticks = () => [...svg.querySelectorAll("text")].map((text) => text.textContent).join();
    const before = ticks();
    press(svg, "+");
    seen.zoomed = ticks() !== before;
    press(svg, "0");
    seen.whole = ticks() === before;
    found.views.push(seen);
  }
  views.selectedIndex = 0;
  views.dispatchEvent(new Event("change"));
  const shown = legend.filter((button) => !button.hidden);
  const [first, all] = [shown[0].textContent, names().length];
  shown[0].click();
  found.hides = !names().includes(first) && names().length === all - 1 && shown[0].getAttribute("aria-pressed") === "false";
  shown[0].click();
  shown[0].focus();
  press(shown[0], "o");
  found.single = names().join() === first;
  press(shown[0], "o");
  found.back = names().length === all;
  press(shown[0], "ArrowRight");
  found.moves = document.activeElement === shown[1] && shown[1].tabIndex === 0 && shown[0].tabIndex === -1;
  svg.scrollIntoView({ block: "center" });
  const at = svg.querySelector("[data-of]").getBoundingClientRect();
  svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 }));
  found.hover = values.textContent;
  return found;
}

// What the tabulator key reaches, as a reader finds the page.
const stops = [...document.querySelectorAll("a[href], button, select, input, summary, [tabindex]")].filter(
  (element) => element.tabIndex >= 0 && element.checkVisibility(),
);
const tabs = { count: stops.length, first: stops[0]?.className };
