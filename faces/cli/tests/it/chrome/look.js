(() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const name = e => `<${e.tagName.toLowerCase()}${e.className && e.className.baseVal === undefined ? '.' + e.className : ''}> ${(e.textContent || '').trim().slice(0, 40)}`;
  const shown = e => e.getClientRects().length > 0;
  if (document.documentElement.scrollWidth > width) faults.push(`is ${document.documentElement.scrollWidth} wide: wider than the screen`);
  for (const e of document.body.querySelectorAll('*')) {
    if (e.closest('.scroll') || e.closest('svg') !== e && e.closest('svg') || !shown(e)) continue;
    if (e.getBoundingClientRect().right > width + 1) faults.push(`reaches beyond the screen: ${name(e)}`);
  }
  for (const e of document.querySelectorAll('.scroll')) if (matchMedia('print').matches && e.scrollWidth > e.clientWidth + 1) faults.push(`is cut on paper: ${name(e)}`);
  if (!document.documentElement.lang) faults.push('has no lang');
  if (!document.title) faults.push('has no title');
  if (document.querySelectorAll('h1').length !== 1) faults.push('has not one h1');
  let level = 0;
  for (const h of document.querySelectorAll('h1,h2,h3,h4')) {
    const next = Number(h.tagName[1]);
    if (next > level + 1) faults.push(`has a heading that skips a level: ${name(h)}`);
    level = next;
  }
  for (const s of document.querySelectorAll('svg')) if (!s.getAttribute('aria-label') && s.getAttribute('aria-hidden') !== 'true') faults.push(`has a picture without a label: ${name(s)}`);
  if (/\b(NaN|inf|undefined)\b/.test(document.body.innerText)) faults.push('shows a number that is none');
  // Text against what lies behind it, as WCAG counts: 4.5 for text, less for nothing.
  const light = c => { const v = c / 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const parse = text => (text.match(/[\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const behind = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0.99) return c; }
    return matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(document.documentElement).colorScheme.includes('dark') ? [18, 18, 18] : [255, 255, 255]; };
  const seen = new Set();
  for (const e of document.body.querySelectorAll('*')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !shown(e) || ['STYLE', 'SCRIPT', 'title'].includes(e.tagName)) continue;
    const svg = e.closest('svg'), style = getComputedStyle(e);
    if (svg && e.hasAttribute('data-on')) continue;
    const front = parse(svg ? style.fill : style.color), back = behind(svg ? svg.parentElement : e);
    const [a, b] = [luminance(front), luminance(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) { const key = `${front}/${back}`; if (!seen.has(key)) { seen.add(key); faults.push(`has a contrast of ${ratio.toFixed(2)} (${key}): ${name(e)}`); } }
  }
  return faults;
})()
