package io.bloomgate.cli.backup;

import io.bloomgate.blocklists.backup.Archive.Member;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Fingerprint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A file of a backup that belongs outside of the state directory, and what happens to it: decided
 * before anything is written. Used by {@link RestoreCommand}.
 *
 * @param target where it belongs
 */
record PlacedFile(Member member, Path target, How how) {

  /** The way in which it is handled. */
  enum How {
    /** No file is there, or it is to be replaced. */
    WRITTEN("written"),
    /** The very same is there. */
    SAME("there already"),
    /** Another one is there, so it is put beside. */
    BESIDE("beside the one that is there"),
    /** The file belongs outside of the folder of the settings, where a restore writes nothing. */
    LEFT("not written, as it is outside of the folder of the settings");

    private final String words;

    How(String words) {
      this.words = words;
    }
  }

  /**
   * Decides for all files of an archive, the settings first.
   *
   * @param settingsFile as the caller named it; nothing outside of its folder is written
   * @param force other files are replaced
   */
  static List<PlacedFile> all(List<Member> members, Path settingsFile, boolean force)
      throws IOException {
    Path settings = settingsFile.toAbsolutePath().normalize();
    List<PlacedFile> files = new ArrayList<>();
    for (Member member : members) {
      if (member.name().equals(Member.SETTINGS)) {
        files.addFirst(new PlacedFile(member, settings, how(member, settings, force)));
      } else if (member.elsewhere().isPresent()) {
        Path target = member.elsewhere().get();
        boolean own = isOwn(target, settings.resolve("..").normalize());
        files.add(new PlacedFile(member, target, own ? how(member, target, force) : How.LEFT));
      }
    }
    return files;
  }

  private static How how(Member member, Path target, boolean force) throws IOException {
    if (Files.notExists(target)) {
      return How.WRITTEN;
    }
    if (digest(target).equals(member.sha256())) {
      return How.SAME;
    }
    return force ? How.WRITTEN : How.BESIDE;
  }

  /**
   * True for a file below the folder of the settings: folders such as /etc, and hidden files of a
   * user, are not for an archive to fill.
   */
  static boolean isOwn(Path target, Path folder) {
    if (!target.startsWith(folder) || folder.getNameCount() < 2) {
      return false;
    }
    for (Path step : folder.relativize(target)) {
      if (step.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  boolean isWritten() {
    return how == How.WRITTEN || how == How.BESIDE;
  }

  /** The path to which it is written. */
  Path place() {
    return how == How.BESIDE ? target.resolveSibling(target.getFileName() + ".restored") : target;
  }

  /** The step of a restore, for scripts; {@code done} is false for a plan. */
  JsonObject json(boolean done) {
    return JsonValue.object()
        .put("step", member.name().equals(Member.SETTINGS) ? "settings" : "file")
        .put("to", place().toString())
        .put("how", how.words)
        .put("done", done)
        .build();
  }

  private static String digest(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        DigestInputStream digested = new DigestInputStream(in, Fingerprint.sha256())) {
      digested.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digested.getMessageDigest().digest());
    }
  }
}
