/** First import of every entry: lets lazy parts pass the page's content security policy. */
const script = document.currentScript ?? document.querySelector<HTMLScriptElement>('script[nonce]');
if (script?.nonce) __webpack_nonce__ = script.nonce;

export {};
