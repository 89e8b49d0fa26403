package io.bloomgate.blocklists.operator.migration;

import io.bloomgate.blocklists.operator.migration.Migration.Collected;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.operator.migration.Migration.Request;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.Subject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A file with a subject a line, as rspamd's maps, Haraka's lists and plain lists have it. The
 * operator says which of our lists is meant; a Haraka line that begins with {@code !} means the
 * other, and a preference of SpamAssassin says the list itself. Patterns and scores have no
 * equivalent here and are left out.
 */
final class PlainMap {

  /** SpamAssassin's preferences, Mail::SpamAssassin::Conf(3), which say the list themselves. */
  private static final Map<String, ListKind> PREFERENCES =
      Map.of(
          "whitelist_from", ListKind.ALLOW,
          "welcomelist_from", ListKind.ALLOW,
          "blacklist_from", ListKind.BLOCK,
          "blocklist_from", ListKind.BLOCK);

  private final Request request;
  private final ListKind list;
  private final Collected collected;
  private final Map<String, Integer> seen = new HashMap<>();

  /** A line with what its comment says. */
  private record Line(int number, String text, String reason) {}

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
      String text = line.strip();
      int comment = commentAt(text);
      if (comment > 0) {
        String reason = text.substring(comment).strip();
        line(
            new Line(i + 1, line, reason.isEmpty() ? "" : reason.substring(1)),
            text.substring(0, comment).strip());
      }
    }
  }

  /** Finds where the comment begins: at the start or behind a blank; a local part may hold one. */
  private static int commentAt(String text) {
    boolean slashes = text.startsWith("//") && !isUrl(firstWord(text));
    if (text.startsWith("#") || text.startsWith(";") || slashes) {
      return 0;
    }
    int comment = text.indexOf(" #");
    int tabbed = text.indexOf("\t#");
    int end = comment < 0 ? tabbed : tabbed < 0 ? comment : Math.min(comment, tabbed);
    return end < 0 ? text.length() : end;
  }

  private static String firstWord(String text) {
    return text.split("\\s+", 2)[0];
  }

  /** Exports write web addresses with two slashes in front. */
  private static boolean isUrl(String word) {
    return word.startsWith("//") && Subject.parse(word) instanceof Parsed.Ok;
  }

  private void line(Line line, String text) {
    boolean turned = text.startsWith("!");
    if (turned && request.origin() != Origin.HARAKA) {
      leave(line, "negations are not supported");
      return;
    }
    String[] words = (turned ? text.substring(1).strip() : text).split("\\s+", 2);
    String key = words[0];
    ListKind preference = PREFERENCES.get(key);
    if (preference != null && words.length > 1) {
      Stream.of(words[1].split("\\s+", -1)).forEach(each -> key(line, preference, each));
    } else if (key.startsWith("whitelist_from_") || key.startsWith("welcomelist_from_")) {
      leave(line, "names the sender's relay or signature too; allow add NAME --from CIDR does");
    } else if (isUrl(key)) {
      // An entry that was commented out must not come back, and a web address must not get lost.
      leave(line, "// begins comments here, and web addresses; write https:// for these");
    } else if (words.length > 1) {
      leave(line, "a score or value behind the subject is not supported");
    } else {
      key(line, turned ? other() : list, key);
    }
  }

  private void leave(Line line, String reason) {
    collected.leave(line.number, reason, line.text);
  }

  private ListKind other() {
    return list == ListKind.ALLOW ? ListKind.BLOCK : ListKind.ALLOW;
  }

  private void key(Line line, ListKind into, String written) {
    collected
        .subjects(line.number, ForeignKey.of(request, written), line.text)
        .forEach(subject -> subject(line, into, subject));
  }

  private void subject(Line line, ListKind into, Subject subject) {
    Integer before = seen.putIfAbsent(subject.toString(), line.number);
    if (before == null) {
      collected.take(line.number, request.entry(into, subject, line.number, line.reason), false);
    } else {
      leave(line, "is already in line " + before);
    }
  }
}
