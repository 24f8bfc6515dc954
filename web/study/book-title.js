// What a book is called where there is little room.

/** A title without what follows its colon. @param {string} title */
export const shortTitle = (title) => title.split(":")[0];

/** The short title of a book by its name; the name where there is no such book. @param {{ id: string, title: string }[]} books @param {string} id */
export const bookTitle = (books, id) => shortTitle(books.find((book) => book.id === id)?.title ?? id);
