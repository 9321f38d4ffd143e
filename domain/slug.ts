const maxSlugLength = 40;

/** The words of a text in lower case without accents, for names and ids: `Über uns!` gives `uber`, `uns`. */
export function plainWords(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

/** The first five words, at most 40 characters; empty if there are none. */
export function joinWords(words: string[]): string {
  const slug: string[] = [];
  for (const word of words.slice(0, 5)) {
    if ([...slug, word].join('-').length > maxSlugLength) break;
    slug.push(word);
  }
  return slug.join('-') || (words[0]?.slice(0, maxSlugLength).replace(/\p{Cs}$/u, '') ?? '');
}

/** A short ASCII kebab-case name from a name or the first words of a text; the fallback if none of its words has ASCII letters or digits. */
export function slugOf(text: string, fallback = 'project'): string {
  return joinWords(plainWords(text)) || fallback;
}
