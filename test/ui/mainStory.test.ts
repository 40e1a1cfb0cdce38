import { tellMainStory } from '../harness/mainStory';
import { startStory } from '../harness/story';

describe('the main story', () => {
  tellMainStory(startStory, 'story', 'dark');
});
