export const GAMES: import("#core/types.js").Games;
export const BETWEEN: Record<string, () => Promise<Partial<import("#core/types.js").Between>>>;
