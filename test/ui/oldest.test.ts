import { tellMainStory } from './mainStory';
import { startStory } from './story';

describe('the main story in the oldest VS Code that is supported', function () {
  tellMainStory(this, () => startStory({ version: 'oldest' }), 'oldest', 'light');
});
