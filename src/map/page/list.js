// The list: findings, coordinators and workloads, then the items by module.
const openModules = new Map();

function row(text, beside, picked, classes, onclick) {
  return make("button", { type: "button", class: `row ${classes}`, tabindex: "-1", "data-row": "", "aria-current": picked ? "true" : null, onclick },
    make("span", { class: "what" }, text), make("span", { class: "beside" }, beside));
}

function fillList(picked) {
  const rows = byId("rows");
  const findings = data.findings.map((finding, number) => [finding, number]).filter(([finding]) => findingShown(finding));
  const shown = itemsShown();
  rows.replaceChildren();
  if (findings.length > 0) {
    rows.append(make("h2", null, "Findings"));
    for (const [finding, number] of findings) {
      const chosen = picked && picked.kind === "finding" && picked.number === number;
      rows.append(row(finding.name, `${finding.lint}, ${placed(finding.at)}`, chosen, finding.standing,
        () => pick("finding", number)));
    }
  }
  const stops = data.stops.map((stop, number) => [stop, number]).filter(([stop]) => holds(stop.name, stop.kind));
  if (stops.length > 0 && !filter.offending) {
    rows.append(make("h2", null, "Where routes end"));
    for (const [stop, number] of stops) {
      const chosen = picked && picked.kind === "stop" && picked.number === number;
      rows.append(row(stop.name, `${stop.kind}, ${counted(stop.cuts.length, "cut")}`, chosen, "stop", () => pick("stop", number)));
    }
  }
  const modules = new Map();
  for (const number of shown) {
    const { module } = data.items[number];
    if (!modules.has(module)) modules.set(module, []);
    modules.get(module).push(number);
  }
  if (modules.size > 0) rows.append(make("h2", null, "On the path"));
  const few = shown.size <= 60 || filter.query !== "";
  for (const [module, numbers] of modules) {
    const holdsPicked = picked && picked.kind === "item" && numbers.includes(picked.number);
    const open = holdsPicked || (openModules.has(module) ? openModules.get(module) : few);
    const details = make("details", { open },
      make("summary", { tabindex: "-1", "data-row": "" }, make("span", { class: "what" }, module), make("span", { class: "beside" }, counted(numbers.length, "item"))));
    const fill = () => {
      if (details.querySelector("button")) return;
      for (const number of numbers) {
        const item = data.items[number];
        const chosen = picked && picked.kind === "item" && picked.number === number;
        details.append(row(item.name, item.kind, chosen, item.selected.length > 0 ? "selected" : "reached", () => pick("item", number)));
      }
    };
    if (open) fill();
    details.addEventListener("toggle", () => {
      fill();
      openModules.set(module, details.open);
    });
    rows.append(details);
  }
  const first = rows.querySelector("[aria-current]") || rows.querySelector("[data-row]");
  if (first) first.tabIndex = 0;
  byId("count").textContent = shown.size + findings.length === 0
    ? "Nothing passes the filters."
    : `${counted(findings.length, "finding")}, ${shown.size} of ${counted(data.items.length, "item")}`;
  return shown;
}

// Arrow keys move among the rows that can be seen; only one of them is a stop of the Tab key.
function moveInList(event) {
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  const here = event.target.closest("[data-row]");
  if (!here || !(event.key in steps)) return;
  const all = [...byId("rows").querySelectorAll("[data-row]")].filter((one) => one.offsetParent !== null);
  const next = all[Math.min(Math.max(all.indexOf(here) + steps[event.key], 0), all.length - 1)];
  if (!next) return;
  event.preventDefault();
  here.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
