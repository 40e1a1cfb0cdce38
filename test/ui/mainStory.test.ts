import { tellMainStory } from './mainStory';
import { startStory } from './story';

describe('the main story', function () {
  tellMainStory(this, () => startStory(), 'story', 'dark');
});
