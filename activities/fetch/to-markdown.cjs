// A thread that converts one page to Markdown; a hostile page can delay or kill it without harm to the worker.
const { parentPort, workerData } = require('node:worker_threads');
const TurndownService = require('turndown');

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' });
service.remove(['script', 'style', 'noscript', 'template', 'iframe', 'svg', 'canvas', 'form', 'button']);
service.addRule('absolute-links', {
  filter: (node) => node.nodeName === 'A' && node.getAttribute('href'),
  replacement(content, node) {
    const text = content.trim();
    const href = absolute(node.getAttribute('href'));
    return text && href ? `[${text}](${href})` : content;
  },
});
service.addRule('images-by-their-text', {
  filter: 'img',
  replacement: (_content, node) => (node.getAttribute('alt') ? `[image: ${node.getAttribute('alt')}]` : ''),
});

/** The absolute address of a link to another page; undefined for any other link. */
function absolute(href) {
  try {
    const url = new URL(href, workerData.address);
    return /^https?:$/.test(url.protocol) ? url.href.replaceAll(')', '%29') : undefined;
  } catch {
    return undefined;
  }
}

const title = /<title[^>]*>([^<]{1,300})<\/title>/i.exec(workerData.html)?.[1]?.trim();
const markdown = service.turndown(workerData.html.replace(/<title[^>]*>[^<]*<\/title>/i, ''));
parentPort.postMessage(title ? `${service.turndown(`<h1>${title}</h1>`)}\n\n${markdown}` : markdown);
