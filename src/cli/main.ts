import { render, Text } from 'ink';
import { createElement } from 'react';
import yargs from 'yargs';
console.log(yargs);
render(createElement(Text, null, 'hi'));
