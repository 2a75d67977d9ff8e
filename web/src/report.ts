// The scripts of a report: they bring to life what the page shows without them.

import { Chart } from "./chart";
import { type ChartData, Page } from "./data";
import { addLocus } from "./locus";
import { Player } from "./player";
import { Stage } from "./stage";
import { Instant } from "./time";

function addCopyButtons(): void {
  document.querySelectorAll<HTMLElement>("pre.copy").forEach((pre) => {
    const wrapper = document.createElement("div");
    wrapper.className = "copyable";
    pre.replaceWith(wrapper);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copybutton";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = pre.textContent ?? "";
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // Pages from disk may not be allowed to: the old way.
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
      }
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    wrapper.append(button, pre);
  });
}

// Any two quantities against each other.
function addPair(page: Page, instant: Instant): void {
  const axes = page.data.phase;
  const section = document.getElementById("phase");
  if (!section || axes.length < 3) return;
  const bar = document.createElement("div");
  bar.className = "pair";
  const choose = (text: string, chosen: number): HTMLSelectElement => {
    const label = document.createElement("label");
    label.textContent = text;
    const select = document.createElement("select");
    axes.forEach((axis, i) => select.append(new Option(axis.label, String(i), i === chosen, i === chosen)));
    label.append(select);
    bar.append(label);
    return select;
  };
  const across = choose("Across", 0);
  const up = choose("Up", Math.min(1, axes.length - 1));
  const host = document.createElement("div");
  host.className = "plot";
  host.id = "chart-pair";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "chart");
  svg.setAttribute("role", "img");
  host.append(svg);
  const title = document.createElement("h3");
  title.textContent = "Any two quantities";
  section.append(title, bar, host);
  const chosen = (): ChartData => {
    const x = axes[Number(across.value)];
    const y = axes[Number(up.value)];
    return { id: host.id, title: `${y.label} over ${x.label}`, x: x.label, y: y.label, same: false, log: false, small: false, curves: [{ label: y.label, x: x.column, y: y.column, colour: 0, dashed: false, thick: false }] };
  };
  svg.setAttribute("aria-label", chosen().title);
  const chart = new Chart(page, chosen(), instant);
  for (const select of [across, up]) select.addEventListener("change", () => chart.show(chosen()));
}

// The table of contents says where the reader is.
function followReader(): void {
  const links = new Map<string, HTMLAnchorElement>();
  document.querySelectorAll<HTMLAnchorElement>("nav a").forEach((a) => links.set(a.hash.slice(1), a));
  const sections = [...document.querySelectorAll<HTMLElement>("main > section")];
  const update = (): void => {
    let here = sections[0];
    // at the top of the page it is the first, however short that is
    if (scrollY > 8) for (const section of sections) if (section.getBoundingClientRect().top < innerHeight * 0.35) here = section;
    links.forEach((a, id) => {
      a.classList.toggle("here", id === here?.id);
      if (id === here?.id) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", update, { passive: true });
  update();
}

// Formulas wider than the window can be moved with the keyboard too.
function reachWideFormulas(): void {
  const update = (): void =>
    document.querySelectorAll<HTMLElement>(".eqs").forEach((formulas) => {
      if (formulas.scrollWidth > formulas.clientWidth + 1) formulas.tabIndex = 0;
      else formulas.removeAttribute("tabindex");
    });
  addEventListener("resize", update);
  document.addEventListener("toggle", update, true);
  update();
}

function start(): void {
  const text = document.getElementById("data")?.textContent;
  if (!text) return;
  const page = new Page(text);
  const instant = new Instant();
  const figure = document.getElementById("stage");
  if (figure && page.data.scene) new Player(figure, new Stage(page.data.scene, instant), instant);
  const charts = new Map<string, Chart>();
  for (const chart of page.data.charts) charts.set(chart.id, new Chart(page, chart, instant));
  addLocus(page, charts);
  addPair(page, instant);
  addCopyButtons();
  followReader();
  reachWideFormulas();
  // On paper everything is unfolded.
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("details.form:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}

start();
