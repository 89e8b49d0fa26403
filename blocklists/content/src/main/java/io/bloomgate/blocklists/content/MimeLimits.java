package io.bloomgate.blocklists.content;

/**
 * The shapes of MIME that reach the mail server behind the gateway; {@code limits.mime} of the
 * settings. They are counted in every header block and every nested message.
 *
 * @param depth multiparts and messages around a part
 * @param parts parts and nested messages of a mail
 * @param parameters parameters of all Content fields of one header block; CVE-2026-27859 is a
 *     server that reads 100,000 of them in quadratic time
 * @param addressFields addresses, and fields of addresses, of one header block; CVE-2024-23184 is a
 *     server that needs 18 minutes for 500,000
 */
public record MimeLimits(int depth, int parts, int parameters, int addressFields) {

  /** Limits of a gateway whose settings do not say otherwise. */
  public static final MimeLimits DEFAULTS = new MimeLimits(100, 10_000, 100, 1_000);

  public MimeLimits {
    if (depth < 1 || parts < 1 || parameters < 1 || addressFields < 1) {
      throw new IllegalArgumentException("a limit below 1");
    }
  }
}
