import { tellMainStory } from '../harness/mainStory';
import { startStory } from '../harness/story';

describe('the main story in the oldest VS Code that is supported', () => {
  tellMainStory((options) => startStory({ ...options, version: 'oldest' }), 'oldest', 'light');
});
