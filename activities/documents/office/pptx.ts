import { activityLimits } from '../../limits/activity-limits.ts';
import { clip } from '../../../domain/text/text.ts';
import { untilEnd, type DocumentText } from '../common/document-text.ts';
import { readXml, relationOf } from '../common/xml.ts';
import type { OfficePackage } from './open-package.ts';
import { SlideReader } from './slide-reader.ts';

const { name: longestName, parts: mostSlides } = activityLimits.documents;

/** Adds the slides of a presentation in their order, each with its notes. Returns the number of slides. */
export async function readPptx(
  office: OfficePackage,
  main: string,
  { text, part }: { text: DocumentText; part?: string | undefined },
): Promise<number> {
  const relations = await office.relations(main);
  const slides: string[] = [];
  readXml((await office.read(main)) ?? '', {
    open: (element, attributes) => {
      const target = element === 'sldId' ? relations.get(relationOf(attributes) ?? '')?.target : undefined;
      if (target !== undefined && slides.length < mostSlides) slides.push(target);
    },
  });
  await untilEnd(text, async () => {
    for (const [index, slide] of slides.entries())
      if (part === undefined || part === String(index + 1)) await readSlide(office, slide, { text, number: index + 1 });
  });
  return slides.length;
}

async function readSlide(
  office: OfficePackage,
  slide: string,
  { text, number }: { text: DocumentText; number: number },
): Promise<void> {
  const reader = new SlideReader();
  readXml((await office.read(slide)) ?? '', reader);
  const notes = new SlideReader();
  const noteSlide = await office.related(slide, 'notesSlide');
  if (noteSlide !== undefined) readXml((await office.read(noteSlide)) ?? '', notes);
  const title = reader.title === '' ? '' : `: ${clip(reader.title, longestName)}`;
  text.startPart(String(number));
  text.add(`## Slide ${number}${reader.hidden ? ' (hidden)' : ''}${title}`);
  for (const line of reader.lines) text.add(line);
  if (notes.lines.length > 0) text.add('Notes:');
  for (const line of notes.lines) text.add(line);
}
