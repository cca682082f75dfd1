// Where somebody types, keys belong to them.
export const TYPING = "input, textarea, select, [contenteditable], [role=dialog], dialog";
