package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads From, Reply-To, Subject and List-Unsubscribe of a mail and of the mails in it. Fields of
 * parts that are no mail mean nothing (RFC 2046 section 5.1). Used by {@link MimeWalk}.
 */
final class HeaderKeys {

  /** A part of an address, on either side of its at sign, is not longer. */
  private static final int MAX_PART = 256;

  private static final String NO_LOCAL_PART = " \t\r\n\f\u000b<>()[]\"'`,;:\\@\u2018\u2019";
  private static final Pattern HOST = Pattern.compile("[\\p{L}\\p{N}.-]{1," + MAX_PART + "}");

  /** Characters of the fields of a mail, and of the mails in it, that are read. */
  static final int MAX_CHARACTERS = 64 * 1024;

  private static final Set<String> READ = Set.of("from", "reply-to", "subject", "list-unsubscribe");

  private static final int[] NO_COMMENTS = {};

  private final MailKeys keys;
  private final Links links;
  private int charactersLeft = MAX_CHARACTERS;

  HeaderKeys(MailKeys keys, Links links) {
    this.keys = keys;
    this.links = links;
  }

  /** Takes a field of a mail; its body is unfolded. */
  void field(String name, String whole, Place place) {
    String body = whole;
    if (READ.contains(name)) {
      body = whole.substring(0, Math.min(whole.length(), charactersLeft));
      charactersLeft -= body.length();
      if (body.length() < whole.length()) {
        keys.odd(Oddity.LONG_HEADER);
      }
    }
    if (place == Place.OPEN
        && keys.wants(Check.FROM)
        && (name.equals("from") || name.equals("subject"))) {
      keys.show(name, EncodedWords.decoded(body));
    }
    switch (name) {
      case "from" -> {
        if (keys.wants(Check.FROM) || keys.wants(Check.FROM_DOMAIN)) {
          mailboxes(body).forEach(text -> mailbox(text, Check.FROM_DOMAIN, place));
        }
      }
      case "reply-to" -> {
        if (keys.wants(Check.REPLY_TO_DOMAIN)) {
          mailboxes(body).forEach(text -> mailbox(text, Check.REPLY_TO_DOMAIN, place));
        }
      }
      case "subject" -> {
        if (keys.wants(Check.SUBJECT)) {
          SubjectPrint.of(decoded(body)).ifPresent(print -> keys.add(Check.SUBJECT, print, place));
        }
      }
      // RFC 2369: mail programs show a button for it.
      case "list-unsubscribe" -> {
        if (keys.wantsUrls()) {
          int end = 0;
          for (int at = body.indexOf('<'); at >= 0; at = body.indexOf('<', end)) {
            int closed = body.indexOf('>', at);
            end = closed < 0 ? body.length() : closed;
            links.attribute(body.substring(at + 1, end), null, place);
          }
        }
      }
      default -> {}
    }
  }

  private void mailbox(String text, Check ofDomain, Place place) {
    switch (MailAddress.parse(text)) {
      case Parsed.Ok<MailAddress>(MailAddress address, var ignored) -> {
        if (ofDomain == Check.FROM_DOMAIN) {
          address.askedForms().forEach(form -> keys.add(Check.FROM, form, place));
        }
        if (address.host() instanceof MailAddress.Host.Name(DomainName name)) {
          keys.add(ofDomain, name, place);
        }
      }
      // A local part that no list can hold hides no domain.
      case Parsed.Bad<MailAddress> ignored ->
          DomainName.asked(text.substring(text.lastIndexOf('@') + 1))
              .ifPresent(name -> keys.add(ofDomain, name, place));
    }
  }

  /** Encoded words as characters (RFC 2047). */
  private static String decoded(String body) {
    return EncodedWords.decoded(body)
        .replace('\uff20', '@')
        .replace('\ufe6b', '@')
        .replace('\u3002', '.');
  }

  /** The addresses of a field, with their comments and names left out; RFC 5322 section 3.4. */
  private static List<String> mailboxes(String body) {
    List<String> found = addresses(body);
    if (!found.isEmpty()) {
      return found;
    }
    // No address is there by the RFC: programs show what looks like one, in encoded words, too.
    List<String> shown = addresses(decoded(body));
    return shown.isEmpty() ? shown(decoded(body)) : shown;
  }

  /** The texts that look like an address. Goes from one at sign to the next, so in linear time. */
  private static List<String> shown(String text) {
    List<String> found = new ArrayList<>(1);
    Matcher host = HOST.matcher(text);
    int end = 0;
    for (int at = text.indexOf('@');
        at >= 0 && found.size() < MailKeys.MAX_KEYS;
        at = text.indexOf('@', at + 1)) {
      int from = at;
      while (from > Math.max(end, at - MAX_PART)
          && NO_LOCAL_PART.indexOf(text.charAt(from - 1)) < 0) {
        from--;
      }
      if (from < at && host.region(at + 1, text.length()).lookingAt()) {
        end = host.end();
        found.add(text.substring(from, end));
      }
    }
    return found;
  }

  private static List<String> addresses(String field) {
    List<String> found = new ArrayList<>(1);
    StringBuilder text = new StringBuilder();
    int[] comments = commentEnds(field);
    int lastQuote = field.lastIndexOf('"');
    boolean angle = false;
    boolean literal = false;
    int i = 0;
    while (i < field.length() && found.size() <= MailKeys.MAX_KEYS) {
      char c = field.charAt(i);
      int end = c == '"' && i < lastQuote ? quoteEnd(field, i) : c == '(' ? comments[i] : 0;
      if (c == '"' && end < 0) {
        lastQuote = 0; // none that follows ends either
      }
      if (end > 0) {
        text.append(c == '"' ? field.substring(i, end) : "");
        i = end;
        continue;
      }
      switch (c) {
        case '<' -> {
          angle = true;
          literal = false;
          text.setLength(0);
        }
        case '>', ',', ';' -> {
          if (c != ',' || !angle || (!text.isEmpty() && text.charAt(0) != '@')) {
            add(text, found);
            angle = false;
          }
          literal = false;
          text.setLength(0);
        }
        // Behind the name of a group or a route; an address literal has its own colons.
        case ':' -> {
          if (literal) {
            text.append(c);
          } else {
            text.setLength(0);
          }
        }
        case '[' -> {
          literal = true;
          text.append(c);
        }
        case ' ', '\t' -> text.append(angle || text.isEmpty() ? "" : " ");
        default -> text.append(c);
      }
      i++;
    }
    add(text, found);
    return found;
  }

  /** Adds a text that is an address; of several words the one that is. */
  private static void add(StringBuilder text, List<String> found) {
    for (String word : text.indexOf("\"") >= 0 ? List.of(text.toString().strip()) : words(text)) {
      int at = word.lastIndexOf('@');
      if (at > 0 && at < word.length() - 1) {
        // Quotes and other marks around an address are no part of it for anybody.
        boolean isMarked = !Character.isLetterOrDigit(word.charAt(word.length() - 1));
        List<String> shown = isMarked && word.indexOf('[') < 0 ? shown(word) : List.of();
        found.add(shown.isEmpty() ? word : shown.getFirst());
      }
    }
  }

  private static List<String> words(StringBuilder text) {
    return List.of(text.toString().replace(" @", "@").replace("@ ", "@").split(" "));
  }

  private static int quoteEnd(String field, int from) {
    for (int i = from + 1; i < field.length(); i++) {
      if (field.charAt(i) == '\\') {
        i++;
      } else if (field.charAt(i) == '"') {
        return i + 1;
      }
    }
    return -1;
  }

  /** Returns for each place the end of the comment that begins there; 0 for none. */
  private static int[] commentEnds(String field) {
    if (field.indexOf('(') < 0) {
      return NO_COMMENTS;
    }
    int[] ends = new int[field.length()];
    int[] open = new int[field.length()];
    int depth = 0;
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '(') {
        open[depth++] = i;
      } else if (c == ')' && depth > 0) {
        ends[open[--depth]] = i + 1;
      }
    }
    return ends;
  }
}
