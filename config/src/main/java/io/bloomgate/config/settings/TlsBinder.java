package io.bloomgate.config.settings;

import io.bloomgate.config.pem.PemFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The section {@code tls}: one certificate with its key, or several. Called once for each reading
 * of the settings.
 */
final class TlsBinder {

  private TlsBinder() {}

  /** The files of each are looked at every second. */
  private static final int MAX_CERTIFICATES = 100;

  static Settings.Tls bind(Section tls) {
    Path certificate = tls.orNull("certificate", tls.path());
    Path key = tls.orNull("key", tls.path());
    tls.problemIf(
        certificate != null && key == null,
        "certificate",
        "a certificate without its key",
        "set tls.key too");
    tls.problemIf(
        key != null && certificate == null,
        "key",
        "a key without its certificate",
        "set tls.certificate too");
    List<PemFiles> pairs = certificates(tls);
    tls.problemIf(
        !pairs.isEmpty() && (certificate != null || key != null),
        "certificates",
        "tls has `certificates`, and `certificate` or `key` beside it",
        "keep `certificates: [..]` with all of them, or `certificate` and `key`");
    if (pairs.isEmpty() && certificate != null && key != null) {
      pairs = List.of(new PemFiles("tls", certificate, key));
    }
    return new Settings.Tls(pairs);
  }

  private static List<PemFiles> certificates(Section tls) {
    List<PemFiles> pairs = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    for (Section s : tls.sections("certificates", "{certificate: FILE, key: FILE}")) {
      Path none = tls.around().base();
      Path certificate = s.required("certificate", "certificate: FILE.pem", s.path(), none);
      Path key = s.required("key", "key: FILE.pem", s.path(), none);
      s.problemIf(
          !certificate.equals(none) && !seen.add(certificate),
          "certificate",
          Shown.quoted(certificate.toString()) + " is in certificates twice",
          "keep one");
      pairs.add(new PemFiles("tls.certificates[" + pairs.size() + "]", certificate, key));
    }
    tls.problemIf(
        pairs.size() > MAX_CERTIFICATES,
        "certificates",
        pairs.size() + " certificates",
        "at most " + MAX_CERTIFICATES + "; one certificate can have many names");
    return pairs;
  }
}
