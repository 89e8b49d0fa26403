package io.bloomgate.blocklists.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.settings.SettingsFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;

/** The settings file of an archive while it is read; takes no more than one may have. */
final class SettingsMember extends OutputStream {

  private final ByteArrayOutputStream octets = new ByteArrayOutputStream();

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] content, int from, int count) throws IOException {
    if (octets.size() + count > SettingsFile.MAX_OCTETS) {
      throw new ArchiveException(
          "the settings file in the archive is larger than " + SettingsFile.MAX_OCTETS + " octets");
    }
    octets.write(content, from, count);
  }

  /**
   * Its text.
   *
   * @throws ArchiveException when there is none, or it is no text
   */
  String text(Path archive) throws IOException {
    if (octets.size() == 0) {
      throw new ArchiveException(archive + " has no settings file");
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw new ArchiveException(archive + " is refused: its settings file is not UTF-8", e);
    }
  }
}
