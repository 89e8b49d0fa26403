package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.settings.yaml.YamlNode.Entry;
import io.bloomgate.config.settings.yaml.YamlNode.Mapping;
import io.bloomgate.config.settings.yaml.YamlNode.Place;
import io.bloomgate.config.settings.yaml.YamlNode.Scalar;
import io.bloomgate.config.settings.yaml.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * YAML 1.2 text to {@link YamlNode}s, by the events of the library: the only code that sees it.
 * Anchors, aliases, tags, several documents and deep nesting are refused, so no text can grow when
 * it is read. Used by {@code SettingsFile} for one text; not thread-safe.
 */
public final class YamlReader {

  /** Largest text in characters (1 Mi). */
  public static final int MAX_OCTETS = 1 << 20;

  /** Deepest nesting of sections and lists that is read. */
  static final int MAX_DEPTH = 16;

  /** The text is no YAML, or uses a part of YAML that is not taken. */
  public static final class YamlException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The place, which is not serialised anywhere. */
    private final transient Place place;

    private final String hint;

    YamlException(Place place, String message, String hint) {
      super(message);
      this.place = place;
      this.hint = hint;
    }

    public Place place() {
      return place;
    }

    public String hint() {
      return hint;
    }
  }

  private final Iterator<Event> events;

  /** The begin of the last value, where its quotes are in different lines. */
  private Optional<Mark> quote = Optional.empty();

  private YamlReader(String text) {
    LoadSettings settings =
        LoadSettings.builder().setUseMarks(true).setCodePointLimit(MAX_OCTETS).build();
    events = new Parse(settings).parseString(text).iterator();
  }

  /** The one document in the text; nothing when there is only white space and comments. */
  public static Optional<YamlNode> read(String text) throws YamlException {
    YamlReader reader = new YamlReader(text);
    try {
      return reader.document();
    } catch (MarkedYamlEngineException e) {
      // What comes behind a quote that is not closed is taken for text up to the next quote.
      boolean ended = String.valueOf(e.getProblem()).contains("end of stream");
      Optional<Mark> open = ended ? e.getContextMark() : reader.quote;
      if (open.isPresent()) {
        throw new YamlException(
            place(open.get()), "the quote that opens here is not closed in its line", "close it");
      }
      Place place =
          e.getProblemMark().or(e::getContextMark).map(YamlReader::place).orElse(Place.START);
      throw new YamlException(place, syntaxMessage(e), syntaxHint(e, text, place));
    } catch (ReaderException e) {
      throw new YamlException(
          Place.behind(text.substring(0, Math.min(e.getPosition(), text.length()))),
          "here is a control character",
          "remove it");
    } catch (YamlEngineException e) {
      throw new YamlException(Place.START, "this is not YAML", "compare it with the sample file");
    }
  }

  private Optional<YamlNode> document() throws YamlException {
    Optional<YamlNode> root = Optional.empty();
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof NodeEvent) {
        root = Optional.of(node(event, 0));
      } else if (event instanceof DocumentStartEvent && root.isPresent()) {
        throw new YamlException(
            place(event), "a second document begins here", "keep one, without `---` between");
      } else if (!(event instanceof StreamStartEvent) && !events.hasNext()) {
        return root;
      }
    }
    return root;
  }

  private YamlNode node(Event event, int depth) throws YamlException {
    Place place = place(event);
    if (event instanceof AliasEvent || ((NodeEvent) event).getAnchor().isPresent()) {
      throw new YamlException(
          place, "anchors (&) and aliases (*) are not taken", "write the value out, or quote it");
    }
    if (depth > MAX_DEPTH) {
      throw new YamlException(
          place, "nested deeper than " + MAX_DEPTH + " levels", "no setting is that deep");
    }
    Optional<String> tag =
        event instanceof ScalarEvent value
            ? value.getTag()
            : event instanceof CollectionStartEvent several ? several.getTag() : Optional.empty();
    if (tag.isPresent()) {
      throw new YamlException(place, "tags (!) are not taken", "write the bare value, or quote it");
    }
    return switch (event) {
      case ScalarEvent s -> {
        boolean oneLine =
            s.getEndMark().map(YamlReader::place).orElse(place).line() == place.line();
        quote = oneLine || !(s.isDQuoted() || s.isSQuoted()) ? Optional.empty() : s.getStartMark();
        yield new Scalar(s.getValue(), s.isPlain(), place);
      }
      case SequenceStartEvent _ -> sequence(place, depth);
      case MappingStartEvent _ -> mapping(place, depth);
      default -> throw new IllegalStateException("unknown event " + event.getEventId());
    };
  }

  private Sequence sequence(Place place, int depth) throws YamlException {
    List<YamlNode> items = new ArrayList<>();
    for (Event e = events.next(); !(e instanceof SequenceEndEvent); e = events.next()) {
      items.add(node(e, depth + 1));
    }
    return new Sequence(List.copyOf(items), place);
  }

  private Mapping mapping(Place place, int depth) throws YamlException {
    List<Entry> entries = new ArrayList<>();
    for (Event e = events.next(); !(e instanceof MappingEndEvent); e = events.next()) {
      YamlNode key = node(e, depth + 1);
      YamlNode value = node(events.next(), depth + 1);
      if (!(key instanceof Scalar(String name, boolean ignored, Place at))) {
        throw new YamlException(
            key.place(), "a key must be a single word", "write `key: value`, quote { and [");
      }
      entries.add(new Entry(name, at, value));
    }
    return new Mapping(List.copyOf(entries), place);
  }

  private static String syntaxMessage(MarkedYamlEngineException e) {
    String problem = String.valueOf(e.getProblem());
    if (problem.contains("\\t")) {
      return "a tab is where blanks are needed";
    }
    return "YAML syntax: " + Shown.bare(problem);
  }

  private static String syntaxHint(MarkedYamlEngineException e, String text, Place place) {
    String problem = String.valueOf(e.getProblem());
    if (problem.contains("\\t") || lineOf(text, place.line()).startsWith("\t")) {
      return "indent with blanks";
    }
    if (problem.contains("mapping values are not allowed")) {
      return "quote a value that holds `: `, and check the indentation";
    }
    if (problem.contains("found character")) {
      return "quote the value";
    }
    return "check indentation, colons and quotes here and in the line above";
  }

  private static String lineOf(String text, int line) {
    return text.lines().skip(Math.max(0, line - 1)).findFirst().orElse("");
  }

  private static Place place(Event event) {
    return event.getStartMark().map(YamlReader::place).orElse(Place.START);
  }

  private static Place place(Mark mark) {
    return new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
