/**
 * What others wrote, as it stands in a prompt: between tags that it cannot close, since the beginning of every such tag within it is escaped. The
 * prompt `material` tells all agents what that means. `from` says where it is from; a text without anything is `otherwise`.
 */
export function fence(from: string, text: string, otherwise = 'None.'): string {
  if (!text.trim()) return otherwise;
  const inside = text.replace(/<(?=[\s\p{Cf}]*\/?[\s\p{Cf}]*material)/giu, '&lt;');
  return `<material from="${from.replace(/[<>"\s]+/g, ' ')}">\n${inside}\n</material>`;
}
