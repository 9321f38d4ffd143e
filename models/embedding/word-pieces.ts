import { Tokenizer } from '@huggingface/tokenizers';

/** A tokenizer for BERT's lower-case word pieces, built from the model's vocabulary (one piece per line). */
export function createWordPieces(vocabulary: string): (text: string, maxTokens: number) => number[] {
  const pieces = vocabulary.split('\n').map((line) => line.replace(/\r$/, ''));
  const vocab: Record<string, number> = Object.fromEntries(
    pieces.map((piece, id) => [piece, id]).filter(([piece]) => piece),
  );
  const special = (content: string) => ({ id: vocab[content], content, special: true });
  const [start, end] = [special('[CLS]'), special('[SEP]')];
  const tokenizer = new Tokenizer(
    {
      version: '1.0',
      added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map(special),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: null,
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab,
      },
    },
    { tokenizer_class: 'BertTokenizer', do_lower_case: true },
  );
  return (text, maxTokens) => {
    const { ids } = tokenizer.encode(text, { add_special_tokens: false });
    return [start.id ?? 0, ...ids.slice(0, maxTokens - 2), end.id ?? 0];
  };
}
