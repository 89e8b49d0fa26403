package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prints by which copies of a mail are recognised. Made by sessions at the end of a mail.
 * Immutable.
 *
 * @param body of {@link BodyPrint}; {@code null} when the text is too short
 * @param likeness of {@link BodyPrint}; {@code null} when the text is too short
 * @param attachments of attached files of {@link #LEAST_FILE} octets or more; of more than {@link
 *     #MOST_ATTACHMENTS} the first
 */
public record MailPrint(
    @Nullable Fingerprint body, @Nullable Likeness likeness, List<Fingerprint> attachments) {

  /** Attachments that are counted of a mail. */
  public static final int MOST_ATTACHMENTS = 8;

  /** Octets of a file below which it says nothing: empty files and pictures of one dot. */
  public static final int LEAST_FILE = 1_024;

  /** Nothing by which copies are recognised. */
  public static final MailPrint NONE = new MailPrint(null, null, List.of());

  public MailPrint {
    attachments = List.copyOf(attachments);
  }

  /** True when copies of this mail cannot be recognised. */
  public boolean isEmpty() {
    return body == null && likeness == null && attachments.isEmpty();
  }
}
