import { tellMainStory } from '../harness/mainStory';
import { startStory } from '../harness/story';

describe('the main story', function () {
  tellMainStory(this, () => startStory(), 'story', 'dark');
});
