package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.blocklists.operator.migration.Migration.Collected;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A file with a subject a line, as rspamd's maps, Haraka's lists and plain lists have it. The
 * operator says which of our lists is meant; a Haraka line that begins with {@code !} means the
 * other. Patterns and scores have no equivalent here and are left out.
 */
final class PlainMap {

  private final Request request;
  private final ListKind list;
  private final Collected collected;
  private final Map<String, Integer> seen = new HashMap<>();

  PlainMap(Request request, Collected collected) {
    if (request.as() == null) {
      throw new IllegalArgumentException("the list to import into is missing");
    }
    this.request = request;
    this.list = request.as();
    this.collected = collected;
  }

  void read(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String text = withoutComment(line).strip();
      if (!text.isEmpty()) {
        line(i + 1, text, line);
      }
    }
  }

  /** A comment begins the line or follows a blank; a local part may hold the sign. */
  private static String withoutComment(String line) {
    String text = line.strip();
    boolean slashes = text.startsWith("//") && !isUrl(firstWord(text));
    if (text.startsWith("#") || text.startsWith(";") || slashes) {
      return "";
    }
    int comment = text.indexOf(" #");
    int tabbed = text.indexOf("\t#");
    int end = comment < 0 ? tabbed : tabbed < 0 ? comment : Math.min(comment, tabbed);
    return end < 0 ? text : text.substring(0, end);
  }

  private static String firstWord(String text) {
    return text.split("\\s+", 2)[0];
  }

  /** Exports write web addresses with two slashes in front. */
  private static boolean isUrl(String word) {
    return word.startsWith("//") && Subject.parse(word) instanceof Parsed.Ok;
  }

  private void line(int number, String text, String line) {
    boolean turned = text.startsWith("!");
    if (turned && request.origin() != Origin.HARAKA) {
      collected.leave(number, "negations are not supported", line);
      return;
    }
    String[] words = (turned ? text.substring(1).strip() : text).split("\\s+", 2);
    String subject = words[0];
    if (isUrl(subject)) {
      // An entry that was commented out must not come back, and a web address must not get lost.
      collected.leave(
          number, "// begins comments here, and web addresses; write https:// for these", line);
    } else if (subject.startsWith("/") || subject.startsWith("^") || subject.endsWith("$")) {
      collected.leave(number, "regular expressions are not supported", line);
    } else if (subject.indexOf('*') >= 0 || subject.indexOf('?') >= 0) {
      collected.leave(number, "patterns are not supported", line);
    } else if (words.length > 1) {
      collected.leave(number, "a score or value behind the subject is not supported", line);
    } else if (subject.startsWith(".") || subject.startsWith("@")) {
      collected.leave(
          number,
          "reaches further or less far than a domain entry, which is a name with all below",
          line);
    } else {
      subject(number, turned ? other() : list, subject, line);
    }
  }

  private ListKind other() {
    return list == ListKind.ALLOW ? ListKind.BLOCK : ListKind.ALLOW;
  }

  private void subject(int number, ListKind into, String written, String line) {
    switch (request.subject(written)) {
      case Parsed.Bad<Subject>(String reason) -> collected.leave(number, reason, line);
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> {
        Integer before = seen.putIfAbsent(subject.toString(), number);
        if (before != null) {
          collected.leave(number, "is already in line " + before, line);
        } else {
          collected.take(number, request.entry(into, subject), false);
        }
      }
    }
  }
}
