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
    const lists = [...place.querySelectorAll(".choices select")].filter((list) => list.name);
    const start = lists.map((list) => list.value);
    const seen = { title: views.value, names: names(), says: [], start, open: [], closed: 0, moves: [] };
    const set = (list, option) => {
      list.selectedIndex = option.index;
      list.dispatchEvent(new Event("change"));
    };
    // Everything that a reader can choose, one list after the other.
    const walk = (at) => {
      if (at === lists.length) {
        const now = lists.map((list) => list.value).join(", ");
        seen.open.push(now);
        if (marks().length === 0) found.empty.push(`${views.value}: ${now}`);
        return;
      }
      for (const option of [...lists[at].options].reverse()) {
        if (option.disabled) seen.closed += 1;
        else walk(at + 1, set(lists[at], option));
      }
    };
    walk(0);
    // From each of the last options back to each of the first: what has no data moves, and the page says so.
    for (const last of lists.slice(1).flatMap((list) => [...list.options].map((option) => [list, option.index]))) {
      for (const first of lists[0].options) {
        set(lists[0], lists[0].options[0]);
        const option = last[0].options[last[1]];
        if (option.disabled) continue;
        set(last[0], option);
        const before = lists.slice(1).map((list) => list.value);
        set(lists[0], first);
        const moved = lists.slice(1).filter((list, i) => list.value !== before[i]).map((list) => list.name);
        seen.moves.push([moved.join(), values.textContent]);
        if (marks().length === 0 || lists.some((list) => list.selectedOptions[0].disabled)) found.empty.push(`${views.value}: moved ${before}`);
      }
    }
    lists.forEach((list, i) => set(list, [...list.options].find((option) => option.value === start[i])));
    // Each filter has a mark of its own, the same in the legend and on the chart.
    const drawing = (mark) => ["class", "d", "r", "stroke-width"].map((name) => mark.getAttribute(name)).join() + mark.textContent;
    const own = legend.filter((button) => !button.hidden).map((button) => drawing(button.querySelector("svg > *")));
    seen.marks = [names().length, new Set(own).size, new Set([...svg.querySelectorAll("[data-of]")].map(drawing)).size];
    seen.strange = [...svg.querySelectorAll("[data-of]")].map(drawing).filter((mark) => !own.includes(mark));
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
