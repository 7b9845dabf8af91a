import { AUDIO_VOLUME } from './limits';

/** The two audio cues. A browser that refuses to play says nothing. */
export function playSound(name: 'success' | 'failure'): void {
  const audio = new Audio(`/static/sounds/${name}.wav`);
  audio.volume = AUDIO_VOLUME;
  void audio.play().catch(() => {});
}
