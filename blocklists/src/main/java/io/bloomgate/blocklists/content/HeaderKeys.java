package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Check;
import org.jspecify.annotations.Nullable;

/**
 * Reads From, Reply-To and Subject of a mail and of the mails in it. Fields of parts that are no
 * mail mean nothing (RFC 2046 section 5.1) and give no keys. Used by {@link LeafReader}.
 */
final class HeaderKeys {

  private final EvidenceKeys keys;
  private @Nullable Mailboxes mailboxes;
  private @Nullable EncodedWords words;

  private int block;
  private int from;
  private int replyTo;
  private boolean isFrom;
  private Place place = Place.OPEN;

  HeaderKeys(EvidenceKeys keys) {
    this.keys = keys;
  }

  /** Takes the body of a field. */
  void field(FieldName name, byte[] octets, int begin, int end, Position position) {
    if (!position.message()) {
      return;
    }
    if (position.part() != block) {
      block = position.part();
      this.from = 0;
      replyTo = 0;
    }
    place = position.nested() > 0 ? Place.NESTED : Place.OPEN;
    switch (name) {
      case FROM -> {
        if (keys.wants(Check.FROM) || keys.wants(Check.FROM_DOMAIN)) {
          isFrom = true;
          mailboxes(octets, begin, end);
        }
      }
      case REPLY_TO -> {
        if (keys.wants(Check.REPLY_TO_DOMAIN)) {
          isFrom = false;
          mailboxes(octets, begin, end);
        }
      }
      case SUBJECT -> {
        if (keys.wants(Check.SUBJECT)) {
          subject(octets, begin, end);
        }
      }
      default -> {}
    }
  }

  private void mailboxes(byte[] octets, int begin, int end) {
    Mailboxes reader = mailboxes();
    int before = from + replyTo;
    reader.read(octets, begin, end);
    if (from + replyTo == before && Octets.indexOf((byte) '?', octets, begin, end) >= 0) {
      // No address is there but inside of encoded words, where mail clients find it anyway.
      addresses(words().decode(octets, begin, end, end));
      String joined = words().joined(octets, begin, end);
      if (joined != null) {
        addresses(joined);
      }
    }
    if (from + replyTo == before) {
      reader.readPlainly(octets, begin, end); // or inside of a comment or quotes
    }
  }

  private void addresses(String text) {
    byte[] decoded = text.getBytes(UTF_8);
    mailboxes().read(decoded, 0, decoded.length);
  }

  private Mailboxes mailboxes() {
    Mailboxes reader = mailboxes == null ? new Mailboxes(this::mailbox) : mailboxes;
    mailboxes = reader;
    return reader;
  }

  private String decoded(String text) {
    byte[] octets = text.getBytes(UTF_8);
    return words().decode(octets, 0, octets.length, octets.length);
  }

  private EncodedWords words() {
    EncodedWords reader = words == null ? new EncodedWords() : words;
    words = reader;
    return reader;
  }

  private void subject(byte[] octets, int begin, int end) {
    if (begin == end) {
      return; // any number of empty ones hides none
    }
    if (!keys.mayReadSubject()) {
      keys.skipped(Skipped.MANY_SUBJECTS);
      return;
    }
    subject(words().decode(octets, begin, end, end - begin));
    String joined = words().joined(octets, begin, end);
    if (joined != null) {
      subject(joined);
    }
  }

  private void subject(String text) {
    String read = SubjectPrint.beginning(text);
    if (!keys.mayReadSubject(read)) {
      keys.skipped(Skipped.MANY_SUBJECTS);
      return;
    }
    SubjectPrint.of(read).ifPresent(print -> keys.add(Check.SUBJECT, print, place));
  }

  private void mailbox(String written) {
    int so = isFrom ? from : replyTo;
    int more = written.lastIndexOf('@') > 0 ? 1 : 0; // a domain alone is no address that was found
    from += isFrom ? more : 0;
    replyTo += isFrom ? 0 : more;
    if (so >= EvidenceKeys.MOST_MAILBOXES || !keys.mayRead(written)) {
      keys.skipped(Skipped.MANY_MAILBOXES);
      return;
    }
    String text = written.contains("=?") ? decoded(written) : written;
    switch (MailAddress.parse(text)) {
      case Parsed.Ok<MailAddress>(MailAddress address, var ignored) -> address(address);
      // a local part that no list can hold hides no domain
      case Parsed.Bad<MailAddress> ignored ->
          DomainName.asked(text.substring(text.lastIndexOf('@') + 1)).ifPresent(this::domain);
    }
  }

  private void address(MailAddress address) {
    if (isFrom) {
      address.askedForms().forEach(form -> keys.add(Check.FROM, form, place));
    }
    if (address.host() instanceof MailAddress.Host.Name(DomainName name)) {
      domain(name);
    }
  }

  private void domain(DomainName name) {
    keys.add(isFrom ? Check.FROM_DOMAIN : Check.REPLY_TO_DOMAIN, name, place);
  }
}
