package io.bloomgate.cli.manual;

import io.bloomgate.config.settings.SampleKeys;
import io.bloomgate.config.settings.SettingsFile;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page {@code bloomgate.yaml(5)}: every key of the settings, in the order of the sample. The
 * text is that of the sample, notation and default are those of the readers.
 *
 * <p>The first lines of the sample explain its layout: a setting begins right after its comment
 * sign or whole steps of two blanks further right; examples and prose are one blank further right.
 * Prose above a key, and the comment behind it, say what it means. Used once; not thread-safe.
 */
public final class SettingsPage {

  private static final String ABOUT =
      "The settings are one YAML file. Two keys are required: `domains` and `downstream.host`; all"
          + " others have the default that is named here. A key that is unknown, written twice or"
          + " of the wrong kind is a mistake, and with a mistake the gateway does not start; a"
          + " running gateway keeps the settings it has.";

  private static final String NAMES =
      "A key is written here with the sections around it, joined by dots: `limits.hops` is the key"
          + " `hops` below `limits`. NAME, DOMAIN and HEADER are names of your choice. In the file"
          + " each section is indented by two more blanks, as the examples show.";

  private static final String KEY = ":(?: +(?!#)(.*?))?(?: +# (.*))?";
  private static final Pattern SETTING = Pattern.compile("#?((?:  )*)([a-z_]+)" + KEY);
  private static final Pattern EXAMPLE = Pattern.compile("# ((?:  )*)([.A-Za-z0-9_-]+)" + KEY);
  private static final Pattern CONTINUED = Pattern.compile("\n#? {8,}#(?= )");
  private static final Pattern LIST = Pattern.compile("[a-z0-9_-]+: +\\S.*");

  private final Mdoc page;

  /** The keys that are not in the page yet. */
  private final Map<String, SampleKeys.Key> keys;

  private final List<String> prose = new ArrayList<>();
  private final List<String> example = new ArrayList<>();

  /** The comments in examples by the path of the key, until the section is done. */
  private final Map<String, List<String>> comments = new LinkedHashMap<>();

  private final List<String> path = new ArrayList<>();
  private String section = "";
  private boolean isBegin;
  private boolean isList;
  private boolean isBehindExample;

  private SettingsPage(Mdoc page, Map<String, SampleKeys.Key> keys) {
    this.page = page;
    this.keys = keys;
  }

  /** The page. */
  public static String text(LocalDate date, String version) {
    String[] parts = CONTINUED.matcher(SettingsFile.sample()).replaceAll("").split("\n\n", 2);
    String[] head = parts[0].split("\n#\n", -1);
    Mdoc page = new Mdoc("bloomgate.yaml", 5, "Settings of the Bloomgate gateway.", date, version);
    page.section("DESCRIPTION");
    page.text(ABOUT).macro("Pp").text("These commands help:").list();
    for (String command : head[2].split("\n", -1)) {
      String[] words = command.substring(1).strip().split(" {2,}", 2);
      page.macro("It Li " + Mdoc.argument(words[0])).text(words[1]);
    }
    page.end().macro("Pp").text(head[3].replaceAll("\n?# ", " "));
    page.macro("Pp").text(NAMES);
    page.section("SETTINGS");
    new SettingsPage(page, new LinkedHashMap<>(SampleKeys.all()))
        .settings(parts[1].lines().toList());
    page.section("FILES").list().macro("It Pa /etc/bloomgate/bloomgate.yaml");
    page.text("The settings, if no other file is named with `--config`.").end();
    page.section("EXAMPLES").text("The smallest file:");
    page.literal(List.of("domains: [example.com]", "downstream:", "  host: 192.0.2.25"));
    page.section("SEE ALSO").macro("Xr bloomgate 1 ,").macro("Xr bloomgate-config 1 ,");
    page.macro("Xr bloomgate-init 1");
    return page.toString();
  }

  private void settings(List<String> lines) {
    begin("General");
    for (String line : lines) {
      Matcher setting = SETTING.matcher(line);
      Matcher shown = EXAMPLE.matcher(line);
      if (setting.matches()) {
        setting(setting);
      } else if (shown.matches() && isExample(shown)) {
        example(line, shown);
      } else {
        endExample();
        prose(line);
      }
    }
    endSection();
  }

  private void setting(Matcher line) {
    endExample();
    int depth = line.group(1).length() / 2;
    boolean leaf = line.group(3) != null;
    enter(depth, line.group(2));
    if (depth == 0 && !leaf) {
      begin(line.group(2));
    }
    if (isBehindExample || (depth == 0 && !leaf)) {
      paragraph();
    }
    isBehindExample = false;
    List<String> meaning = new ArrayList<>(prose);
    prose.clear();
    if (line.group(4) != null) {
      meaning.add(line.group(4));
    }
    String here = SampleKeys.general(path);
    if (keys.containsKey(here) || (depth > 0 && !meaning.isEmpty())) {
      item(here, meaning);
    }
    if (leaf) {
      itemsBelow(here);
    }
  }

  /** Prose may look like an example; one is announced, and goes on with deeper lines. */
  private boolean isExample(Matcher line) {
    boolean deep = !line.group(1).isEmpty();
    boolean announced = !prose.isEmpty() && prose.getLast().endsWith("Example:");
    return announced || (deep && (isBehindExample || !example.isEmpty()));
  }

  private void example(String line, Matcher key) {
    int depth = key.group(1).length() / 2;
    enter(depth, key.group(2));
    if (depth == 0) {
      begin(key.group(2));
    }
    paragraph();
    isBehindExample = true;
    String comment = key.group(4);
    int end = line.length() - (comment == null ? 0 : comment.length() + 2);
    example.add(line.substring(2, end).stripTrailing());
    if (comment != null) {
      comments.computeIfAbsent(SampleKeys.general(path), _ -> new ArrayList<>()).add(comment);
    }
  }

  private void endExample() {
    if (!example.isEmpty()) {
      endList();
      page.literal(example);
      example.clear();
    }
  }

  private void prose(String line) {
    if (line.isEmpty()) {
      paragraph();
      isBehindExample = false;
      return;
    }
    String text = line.strip().substring(1).strip().replaceAll(" +", " ");
    boolean isListed = LIST.matcher(text).matches();
    if (prose.isEmpty() || (isListed && prose.getLast().endsWith("."))) {
      prose.add(text);
    } else {
      prose.set(prose.size() - 1, prose.getLast() + " " + text);
    }
  }

  private void enter(int depth, String key) {
    path.subList(Math.min(depth, path.size()), path.size()).clear();
    path.add(key);
  }

  /** Begins a section; the prose so far is its own. */
  private void begin(String name) {
    endSection();
    page.subsection(name);
    section = name;
    isBegin = true;
  }

  private void endSection() {
    endExample();
    itemsBelow(section);
    endList();
    comments.clear();
    isBehindExample = false;
  }

  private void endList() {
    if (isList) {
      page.end();
    }
    isList = false;
  }

  private void paragraph() {
    if (!prose.isEmpty()) {
      endList();
      if (!isBegin) {
        page.macro("Pp");
      }
      lines(prose);
      prose.clear();
      isBegin = false;
    }
  }

  /** Keys that the sample writes on the line of the key around them, or only in examples. */
  private void itemsBelow(String here) {
    for (String below : List.copyOf(keys.keySet())) {
      if (below.startsWith(here + ".")) {
        // The comment about the only key of a sign is behind the sign.
        String sign = below.replaceFirst("^(signs\\..*)\\.action$", "$1");
        item(below, comments.getOrDefault(below, comments.getOrDefault(sign, List.of())));
      }
    }
  }

  private void item(String here, List<String> meaning) {
    if (!isList) {
      page.list();
    }
    isList = true;
    isBegin = false;
    SampleKeys.Key known = keys.remove(here);
    SampleKeys.Key key = known == null ? new SampleKeys.Key("section", Set.of()) : known;
    // A default that is another one in another section is none that could be written down.
    boolean one = key.defaults().size() == 1;
    String fallback = one ? "; default: `" + key.defaults().iterator().next() + "`" : "";
    page.macro("It Ic " + Mdoc.argument(here)).text("(" + key.notation() + fallback + ")");
    if (!meaning.isEmpty()) {
      page.macro("br");
      lines(meaning.stream().map(text -> sentence(key, text)).toList());
    }
  }

  /** A comment behind a key is a phrase; here it is a sentence. */
  private static String sentence(SampleKeys.Key key, String comment) {
    String first = comment.split("[ ,:;]", 2)[0];
    boolean word = first.matches("[a-z]+") && !comment.startsWith(first + ":");
    word &= !key.notation().contains(first);
    String text =
        word ? comment.substring(0, 1).toUpperCase(Locale.ROOT) + comment.substring(1) : comment;
    return text.matches("(?s).*[.\\]:]") ? text : text + ".";
  }

  private void lines(List<String> lines) {
    page.text(lines.getFirst());
    lines.stream().skip(1).forEach(line -> page.macro("br").text(line));
  }
}
