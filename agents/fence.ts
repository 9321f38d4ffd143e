/** What a tag may hold unseen: spaces, controls, marks and what is not shown. */
const unseen = String.raw`[\s\p{C}\p{M}\p{Default_Ignorable_Code_Point}]*`;
/** The letters of "material", also as other alphabets write them. */
const letters = ['m', '[aа]', '[tт]', '[eе]', '[rг]', '[iіı]', '[aа]', '[lӏ]'].join(unseen);
/** How such a tag begins, in normal form. */
const tag = new RegExp(String.raw`^<(?:[\\/]|${unseen.slice(0, -1)})*${letters}`, 'iu');
/** A "less than" in each of its forms, and what follows to the next one. */
const piece = /[<\u226e\ufe64\uff1c][^<\u226e\ufe64\uff1c]*/gu;

/**
 * What others wrote, as it stands in a prompt: between tags that it cannot close, since the beginning of every such tag within it is escaped. The
 * prompt `material` tells all agents what that means. `from` says where it is from; a text without anything is `otherwise`.
 */
export function fence(from: string, text: string, otherwise = 'None.'): string {
  if (!text.trim()) return otherwise;
  return `<material from="${from.replace(/[<>"\s]+/g, ' ')}">\n${text.replace(piece, escapeTag)}\n</material>`;
}

function escapeTag(text: string): string {
  return tag.test(text.normalize('NFKD')) ? `&lt;${text.slice(1)}` : text;
}

/** A text without its fences, for a person. */
export function withoutFences(text: string): string {
  return text.replace(/^<material from="[^"]*">\n|\n<\/material>$/gm, '');
}
