import { mofaFormat } from './formats/mofa';
import type { TapeFormat } from './tapeFormat';

/** Every format there is. To add one: its file in `formats/`, its id in `tape.ts`, its line here, its test. */
export const formats: readonly TapeFormat[] = [mofaFormat];
