// Short titles of rule books.

/** Returns the part of a title before the colon. @param {string} title */
export const shortTitle = (title) => title.split(":")[0];

/** Returns the short title of a book, or its id if the book is unknown. @param {{ id: string, title: string }[]} books @param {string} id */
export const bookTitle = (books, id) => shortTitle(books.find((book) => book.id === id)?.title ?? id);
