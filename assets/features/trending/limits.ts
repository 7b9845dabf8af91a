/** SPEC 9: five topics, five prompts each, back to the topics after half a second. */
export const TOPICS_SHOWN = 5;
export const PROMPTS_SHOWN = 5;
export const RETURN_MS = 500;
