// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The layout is that of PKWARE's APPNOTE 6.3: end record, central directory, local headers.
#include "core/files/zip_archive.h"

#include "core/files/refusal.h"
#include "core/files/source_file.h"
#include "core/shape.h"

#include <zlib.h>
#include <algorithm>
#include <optional>

namespace posiscope::files {
namespace {

constexpr std::uint64_t end_bytes = 22;
constexpr std::uint64_t most_comment = 0xFFFF;
constexpr std::uint64_t most_members = 0xFFFF;
constexpr std::uint64_t largest_directory = 64u << 20;
// Deflate cannot do better than about 1032 to 1.
constexpr std::uint64_t best_ratio = 1040;
constexpr std::size_t piece = 1u << 16;

std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

tl::unexpected<Error> damaged(const std::string& path, const Text& found) {
  return refuse(ErrorCode::file_format, path, {"the archive", "压缩包"}, {"a whole zip file", "完整的 zip 文件"},
                found);
}

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t members = 0;
};

/// Where the central directory lies, from the record at the end, or the ZIP64 one before it.
Expected<Directory> findDirectory(SourceFile& file) {
  const std::uint64_t tail = std::min(file.size(), end_bytes + most_comment + 20);
  const Expected<std::string> text = file.text(file.size() - tail, tail);
  if (!text) return fail(text.error());
  const std::size_t end =
      text->size() < end_bytes ? std::string::npos : text->rfind("PK\x05\x06", text->size() - end_bytes);
  if (end == std::string::npos) return damaged(file.path(), {"one without its end", "没有结尾的文件"});
  Directory d{number(*text, end + 16, 4), number(*text, end + 12, 4), number(*text, end + 10, 2)};
  const bool wide = d.offset == 0xFFFFFFFF || d.bytes == 0xFFFFFFFF || d.members == 0xFFFF;
  if (wide && end >= 20 && text->compare(end - 20, 4, "PK\x06\x07") == 0) {
    const Expected<std::string> record = file.text(number(*text, end - 12, 8), 56);
    if (!record || !record->starts_with("PK\x06\x06"))
      return damaged(file.path(), {"one with a damaged end", "结尾已损坏的文件"});
    d = {number(*record, 48, 8), number(*record, 40, 8), number(*record, 32, 8)};
  }
  if (d.offset > file.size() || d.bytes > file.size() - d.offset)
    return damaged(file.path(), {"a directory beyond the file's end", "目录超出文件末尾"});
  if (d.members > most_members || d.bytes > largest_directory)
    return refuse(ErrorCode::too_large, file.path(), {"the archive", "压缩包"},
                  {join("one of at most ", most_members, " members"), join("至多 ", most_members, " 个成员的压缩包")},
                  join(d.members));
  return d;
}

/// The ZIP64 values stand in the order of the fields that are all ones.
bool readWide(std::string_view extra, ZipMember& member) {
  std::uint64_t* const fields[] = {&member.size, &member.packed, &member.local_header};
  const bool wanted = std::ranges::any_of(fields, [](const std::uint64_t* f) { return *f == 0xFFFFFFFF; });
  while (wanted && extra.size() >= 4) {
    const std::size_t length = number(extra, 2, 2);
    if (length > extra.size() - 4) return false;
    if (number(extra, 0, 2) != 1) {
      extra.remove_prefix(4 + length);
      continue;
    }
    std::string_view values = extra.substr(4, length);
    for (std::uint64_t* field : fields) {
      if (*field != 0xFFFFFFFF) continue;
      if (values.size() < 8) return false;
      *field = number(values, 0, 8);
      values.remove_prefix(8);
    }
    return true;
  }
  return true;
}

/// The entry at the start of `rest`, which loses it; nothing when it is damaged.
std::optional<ZipMember> readEntry(std::string_view& rest) {
  constexpr std::size_t fixed = 46;
  if (rest.size() < fixed || !rest.starts_with("PK\x01\x02")) return std::nullopt;
  const std::size_t name = number(rest, 28, 2);
  const std::size_t extra = number(rest, 30, 2);
  const std::size_t whole = fixed + name + extra + number(rest, 32, 2);
  if (whole > rest.size()) return std::nullopt;
  ZipMember m;
  m.encrypted = (number(rest, 8, 2) & 1u) != 0;
  m.method = static_cast<unsigned>(number(rest, 10, 2));
  m.checksum = static_cast<std::uint32_t>(number(rest, 16, 4));
  m.packed = number(rest, 20, 4);
  m.size = number(rest, 24, 4);
  m.local_header = number(rest, 42, 4);
  m.name = rest.substr(fixed, name);
  if (!readWide(rest.substr(fixed + name, extra), m)) return std::nullopt;
  rest.remove_prefix(whole);
  return m;
}

/// Every member has room of its own before the directory, and none promises more than it can hold.
Outcome checkRoom(const std::string& path, const std::vector<ZipMember>& members, std::uint64_t directory) {
  std::vector<const ZipMember*> order;
  for (const ZipMember& m : members) order.push_back(&m);
  std::ranges::sort(order, {}, &ZipMember::local_header);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const ZipMember& m = *order[i];
    const std::uint64_t next = i + 1 < order.size() ? order[i + 1]->local_header : directory;
    const std::string name = escaped(m.name);
    if (m.local_header > next || m.packed > next - m.local_header || next - m.local_header - m.packed < 30)
      return damaged(path, {"members that overlap: '" + name + "'", "成员相互重叠：“" + name + "”"});
    if (m.size / best_ratio > m.packed)
      return damaged(path, {join("'", name, "', said to be ", m.size, " bytes from ", m.packed),
                            join("“", name, "”，声称由 ", m.packed, " 字节得到 ", m.size, " 字节")});
  }
  return {};
}

/// Unpacks from one reading of the file into `out`, never beyond what `out` has room for.
class Inflation {
 public:
  Inflation() { ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflation() {
    if (ready_) inflateEnd(&stream_);
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  /// False when the bytes are no deflate stream. `done` grows to what has been unpacked.
  bool add(std::span<unsigned char> packed, std::string& out, std::size_t& done) {
    if (!ready_) return false;
    stream_.next_in = packed.data();
    stream_.avail_in = static_cast<uInt>(packed.size());
    while (stream_.avail_in > 0 && done < out.size() && !ended_) {
      const std::size_t room = std::min(out.size() - done, std::size_t{1} << 30);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data()) + done;
      stream_.avail_out = static_cast<uInt>(room);
      const int state = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      ended_ = state == Z_STREAM_END;
      if (state != Z_OK && !ended_) return false;
    }
    return true;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
};

std::uint32_t checksumOf(const std::string& bytes) {
  uLong sum = crc32(0, nullptr, 0);
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    sum = crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()) + at,
                static_cast<uInt>(std::min(piece, bytes.size() - at)));
  return static_cast<std::uint32_t>(sum);
}

/// Where the member's data starts: behind a local header of its own length.
Expected<std::uint64_t> dataOf(SourceFile& file, const ZipMember& member) {
  const Expected<std::string> header = file.text(member.local_header, 30);
  if (!header) return fail(header.error());
  const std::uint64_t data = member.local_header + 30 + number(*header, 26, 2) + number(*header, 28, 2);
  if (!header->starts_with("PK\x03\x04") || data > file.size() || member.packed > file.size() - data)
    return damaged(file.path(), {"no data at a member's place", "成员所在处没有数据"});
  return data;
}

}  // namespace

Expected<ZipArchive> ZipArchive::open(const std::string& path, const Job& job) {
  Expected<SourceFile> file = SourceFile::open(path, job);
  if (!file) return fail(file.error());
  const std::string start = file->start(4);
  if (start != "PK\x03\x04" && start != "PK\x05\x06")
    return damaged(path, recognise(file->start(512)).value_or(Text{"another kind of file", "另一种文件"}));
  const Expected<Directory> directory = findDirectory(*file);
  if (!directory) return fail(directory.error());
  const Expected<std::string> text = file->text(directory->offset, directory->bytes);
  if (!text) return fail(text.error());
  ZipArchive archive;
  archive.path_ = path;
  archive.job_ = job;
  std::string_view rest = *text;
  for (std::uint64_t m = 0; m < directory->members; ++m) {
    std::optional<ZipMember> member = readEntry(rest);
    if (!member) return damaged(path, {"a damaged directory", "已损坏的目录"});
    archive.members_.push_back(*std::move(member));
  }
  if (Outcome ok = checkRoom(path, archive.members_, directory->offset); !ok) return fail(ok.error());
  return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  for (auto m = members_.rbegin(); m != members_.rend(); ++m)
    if (m->name == name) return &*m;
  return nullptr;
}

Expected<std::string> ZipArchive::bytes(const ZipMember& member, std::uint64_t most) const {
  const Text field = same("'" + escaped(member.name) + "'");
  if (member.encrypted || (member.method != 0 && member.method != 8))
    return refuse(ErrorCode::file_type, path_, field, {"stored or deflated", "以存储或 deflate 方式打包"},
                  member.encrypted ? Text{"encrypted", "加密"} : same(join("method ", member.method)));
  if (member.method == 0 && member.size != member.packed)
    return damaged(path_, {"a stored member of two sizes", "大小不一致的存储成员"});
  const std::uint64_t wanted = std::min(member.size, most);
  if (Outcome ok = checkMemory(escaped(path_, 4096), static_cast<double>(wanted)); !ok) return fail(ok.error());
  Expected<SourceFile> file = SourceFile::open(path_, job_);
  if (!file) return fail(file.error());
  const Expected<std::uint64_t> data = dataOf(*file, member);
  if (!data) return fail(data.error());
  if (member.method == 0 && wanted < member.size) return file->text(*data, wanted);

  std::string out(static_cast<std::size_t>(wanted), '\0');
  std::size_t done = 0;
  Inflation inflation;
  std::vector<unsigned char> packed(piece);
  for (std::uint64_t at = 0; at < member.packed && done < out.size(); at += piece) {
    if (job_.stopped())
      return fail(ErrorCode::cancelled, join(escaped(path_, 4096), ": reading was stopped"),
                  join(escaped(path_, 4096), "：读取已停止"));
    const std::span<unsigned char> now =
        std::span(packed).first(static_cast<std::size_t>(std::min<std::uint64_t>(piece, member.packed - at)));
    if (Outcome ok = file->read(*data + at, now); !ok) return fail(ok.error());
    if (member.method == 0) {
      std::ranges::copy(now, out.begin() + static_cast<std::ptrdiff_t>(done));
      done += now.size();
    } else if (!inflation.add(now, out, done)) {
      return damaged(path_, {"packed data that is damaged", "已损坏的压缩数据"});
    }
  }
  if (done < out.size() || (wanted == member.size && checksumOf(out) != member.checksum))
    return damaged(path_, {"a member that is not what it was", "内容与校验值不符的成员"});
  return out;
}

}  // namespace posiscope::files
