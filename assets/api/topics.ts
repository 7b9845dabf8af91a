/** The lexicon of Trending Topics as the server has it, too: it knows which questions the product itself words. */

import topics from '../../apps/threads/topics.json';

export { topics };
