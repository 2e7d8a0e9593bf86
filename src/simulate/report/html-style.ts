import type { Markup } from './markup.ts';

/** The style of the page: the reader's own font and sizes, light or dark as the reader's system is. */
export const pageStyle: Markup = {
  markup: `
:root { color-scheme: light dark; --allowed: #3b7dd8; --denied: #d1495b; --quiet: #6b7280; --line: #d4d7dd; }
@media (prefers-color-scheme: dark) {
  :root { --allowed: #6ea8fe; --denied: #ff7a88; --quiet: #9ca3af; --line: #3a3f47; }
}
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin-bottom: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.remark { border-left: 3px solid var(--denied); padding-left: .7rem; }
svg { width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--quiet); } .end { text-anchor: end; } .middle { text-anchor: middle; }
.grid { stroke: var(--line); fill: none; }
.allowed { fill: var(--allowed); } .denied { fill: var(--denied); }
.line-a { stroke: var(--allowed); fill: none; stroke-width: 1.5; }
.line-b { stroke: var(--denied); fill: none; stroke-width: 1.5; }
.key::before { content: ''; display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
.key-a::before { background: var(--allowed); } .key-b::before { background: var(--denied); }
`,
};
