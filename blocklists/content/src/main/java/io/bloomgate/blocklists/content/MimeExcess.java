package io.bloomgate.blocklists.content;

/**
 * A limit of {@code limits.mime} that a mail passed; made by {@link MimeWalk} and {@link
 * PartFields}, shown in the reply and the log.
 *
 * @param what which limit
 * @param limit its value
 */
public record MimeExcess(What what, int limit) {

  /** The limits, named as in the settings. */
  public enum What {
    /** Multiparts and messages around a part. */
    DEPTH("depth"),
    /** Parts of the mail. */
    PARTS("parts"),
    /** Parameters of one header block. */
    PARAMETERS("parameters"),
    /** Addresses of one header block. */
    ADDRESS_FIELDS("address_fields");

    private final String key;

    What(String key) {
      this.key = key;
    }

    /** The word used in settings, logs and metrics. */
    public String key() {
      return key;
    }
  }
}
