// Puts the parts together: filters, keys, the address, printing.
function refresh() {
  fillList(picked);
  markPicture();
}

function pick(kind, number, lease) {
  picked = kind === null || number < 0 ? null : { kind, number, lease };
  step = -1;
  showRoute();
  refresh();
  const address = picked ? `#${picked.kind}-${picked.number}` : "#";
  if (location.hash !== address && !(address === "#" && location.hash === "")) history.replaceState(null, "", address);
  if (picked) {
    byId("route").scrollIntoView({ block: "nearest" });
    goTo(0);
  } else {
    byId("rows").querySelector("[tabindex='0']")?.focus();
  }
}

function setFilter(name, value) {
  filter[name] = name === "query" ? value.trim().toLowerCase() : value;
  const field = byId(name);
  if (field.type === "checkbox") field.checked = value;
  else if (field.value !== value) field.value = value;
  refresh();
}

function options(select, all, entries) {
  select.append(make("option", { value: "" }, all), ...entries.map(([value, text]) => make("option", { value }, text)));
}

function begin() {
  const of = (standing) => data.findings.filter((finding) => finding.standing === standing).length;
  const [denied, warned, forgiven] = ["denied", "warned", "forgiven"].map(of);
  byId("title").textContent = data.title;
  const verdict = [denied > 0 ? `Offends: ${denied} denied` : "Clean: nothing is denied"];
  if (warned > 0) verdict.push(counted(warned, "warning"));
  if (forgiven > 0) verdict.push(`${forgiven} forgiven`);
  verdict.push(`${counted(data.items.length, "item")} on the path of ${counted(data.leases.length, "lease")}`);
  byId("verdict").textContent = `${verdict.join(", ")}.`;
  byId("verdict").className = denied > 0 ? "denied" : "clean";
  options(byId("lease"), "all", data.leases.map((lease, number) => [number, lease.name]));
  const kinds = new Set(data.leases.flatMap((lease) => lease.stations.filter((one) => one.hop).map((one) => one.hop.kind)));
  options(byId("kind"), "any hop", [...kinds].sort().map((kind) => [kind, kind]));
  showPicture(0);
  const [, kind, number] = /^#(finding|item|stop)-(\d+)$/.exec(location.hash) || [];
  const table = { finding: data.findings, item: data.items, stop: data.stops }[kind];
  if (table && Number(number) < table.length) pick(kind, Number(number));
  else {
    showRoute();
    refresh();
  }
}

// Every finding that the filters show, with its whole route: what a reader of paper needs.
function fillPrint() {
  const shown = data.findings.filter(findingShown);
  byId("prints").replaceChildren(...(picked ? [] : shown).map((finding) => make("article", null, ...findingParts(finding).filter((part) => part !== null))));
}

function keys(event) {
  const writing = event.target.matches("input[type=search], select");
  if (event.key === "Escape") {
    if (writing) {
      setFilter("query", "");
      byId("rows").querySelector("[tabindex='0']")?.focus();
    } else if (picked) pick(null);
    else if (shownPicture > 0) byId("back").click();
    return;
  }
  if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    byId("query").focus();
  } else if (event.key === "j" || event.key === "k") goTo(step + (event.key === "j" ? 1 : -1));
  else if (event.key === "o") setFilter("offending", !filter.offending);
}

byId("filters").addEventListener("submit", (event) => event.preventDefault());
byId("query").addEventListener("input", (event) => setFilter("query", event.target.value));
for (const name of ["lease", "kind", "certainty"]) byId(name).addEventListener("change", (event) => setFilter(name, event.target.value));
byId("offending").addEventListener("change", (event) => setFilter("offending", event.target.checked));
byId("clear").addEventListener("click", () => {
  for (const name of ["lease", "kind", "certainty", "query"]) setFilter(name, "");
  setFilter("offending", false);
});
byId("print").addEventListener("click", () => window.print());
byId("back").addEventListener("click", () => {
  showPicture(0);
  markPicture();
});
byId("zoom").addEventListener("click", (event) => {
  const fits = event.currentTarget.getAttribute("aria-pressed") !== "true";
  event.currentTarget.setAttribute("aria-pressed", String(fits));
  byId("picture").classList.toggle("fits", fits);
});
byId("rows").addEventListener("keydown", moveInList);
byId("canvas").addEventListener("keydown", moveInPicture);
document.addEventListener("keydown", keys);
window.addEventListener("beforeprint", fillPrint);
window.addEventListener("afterprint", () => byId("prints").replaceChildren());
begin();
