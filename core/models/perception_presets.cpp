// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/models/preset_parts.h"
#include "core/models/scheme_values.h"

namespace posiscope::models {
namespace {

const Mask both_sides;
const std::string half = "half";

SchemeChoice gridRotation(const char* variant, ParamValues more = {}) {
  more.insert({{"variant", std::string(variant)}, {"pairing", half}});
  return choiceOf("rope_2d", std::move(more));
}

/// The table belongs to the grid it was trained on; a class token has a row in front.
std::vector<Preset> learnedPictures() {
  return {
      {"vit-b-16", "ViT-B/16", pictureShape(14, 1, 768, 12, 64, 12), both_sides, 197,
       learnedChoice("truncated_normal", 197), "google/vit-base-patch16-224/config.json; arXiv:2010.11929"},
      {"clip-vit-b-32",
       "CLIP ViT-B/32, 50 × 768",
       pictureShape(7, 1, 768, 12, 64, 12),
       both_sides,
       50,
       learnedChoice("normal", 50),
       "defaults of CLIPVisionConfig, transformers; arXiv:2103.00020",
       {"The picture part: 7 × 7 patches and a class token.", "图像部分：7 × 7 个图块和一个类别词元。"}},
      {"clip-text",
       "CLIP ViT-B/32, 77 × 512",
       modelShape(77, 512, 8, 0, 64, 12),
       causalMask(),
       77,
       learnedChoice("normal", 77),
       "defaults of CLIPTextConfig, transformers; arXiv:2103.00020",
       {"The text part: up to 77 tokens.", "文本部分：至多 77 个词元。"}},
      {"clip-vit-l-14-336",
       "CLIP ViT-L/14, 577 × 1024",
       pictureShape(24, 1, 1024, 16, 64, 24),
       both_sides,
       577,
       learnedChoice("normal", 577),
       "openai/clip-vit-large-patch14-336/config.json, vision_config",
       {"The picture part, also that of LLaVA 1.5: 24 × 24 patches and a class token.",
        "图像部分（LLaVA 1.5 也使用它）：24 × 24 个图块和一个类别词元。"}},
      {"qwen3-vl-vit",
       "Qwen3-VL ViT",
       pictureShape(48, 0, 1152, 16, 72, 27),
       both_sides,
       2304,
       learnedChoice("normal", 2304),
       "defaults of Qwen3VLVisionConfig, transformers",
       {"The table of 48 × 48 rows alone; the model also rotates by row and column.",
        "仅为 48 × 48 行的位置表；该模型还按行和列做旋转。"}},
  };
}

std::vector<Preset> windowedPictures() {
  return {
      {"swin-tiny",
       "Swin-T",
       pictureShape(56, 0, 96, 3, 32, 2),
       both_sides,
       3136,
       choiceOf("swin", {{"window", 7.0}}),
       "defaults of SwinConfig, transformers; arXiv:2103.14030",
       {"The first of four stages (3, 6, 12 and 24 heads, 2, 2, 6 and 2 layers); in each a table has 169 rows.",
        "四个阶段中的第一个（头数依次为 3、6、12、24，层数依次为 2、2、6、2）；每个阶段的表都是 169 行。"}},
  };
}

std::vector<Preset> turnedPictures() {
  return {
      // A class token and four registers stand before the 14 × 14 patches of 224 pixels.
      {"dinov3-vits16", "DINOv3 ViT-S/16", pictureShape(14, 5, 384, 6, 64, 12), both_sides, 201,
       gridRotation("normalized", {{"base", 100.0}, {"prefix_tokens", 5.0}}),
       "defaults of DINOv3ViTConfig, transformers; arXiv:2508.10104"},
      {"pixtral-vision", "Pixtral 512 px", pictureShape(32, 0, 1024, 16, 64, 24), both_sides, 4096,
       gridRotation("split_freq"),
       "defaults of PixtralVisionConfig, transformers, an image of 512 pixels; arXiv:2410.07073"},
      {"ministral-3-vision",
       "Ministral 3, 1540 px",
       pictureShape(110, 0, 1024, 16, 64, 24),
       both_sides,
       12100,
       gridRotation("split_freq"),
       "mistralai/Ministral-3-3B-Instruct-2512/config.json, vision_config",
       {"The picture part at its largest: 110 × 110 patches of 14 pixels.",
        "图像部分的最大尺寸：110 × 110 个 14 像素的图块。"}},
      {"qwen2-vl-vit",
       "Qwen2-VL ViT, 448 px",
       pictureShape(32, 0, 1280, 16, 80, 32),
       both_sides,
       1024,
       gridRotation("axial"),
       "defaults of Qwen2VLVisionConfig, transformers, an image of 448 pixels; arXiv:2409.12191",
       {"The picture part; it takes images of any size.", "图像部分；可接受任意尺寸的图像。"}},
  };
}

std::vector<Preset> videoModels() {
  return {
      {"qwen2-vl-7b", "Qwen2-VL 7B", modelShape(32768, 3584, 28, 4, 128, 28), causalMask(), 32768,
       choiceOf("mrope", {{"sections", std::vector<double>{16, 24, 24}}}),
       "Qwen/Qwen2-VL-7B-Instruct/config.json; arXiv:2409.12191"},
      {"qwen3-vl-8b", "Qwen3-VL 8B", modelShape(262144, 4096, 32, 8, 128, 36), causalMask(), 262144,
       choiceOf("mrope",
                {{"base", 5e6}, {"sections", std::vector<double>{24, 20, 20}}, {"mode", std::string("interleaved")}}),
       "Qwen/Qwen3-VL-8B-Instruct/config.json"},
  };
}

std::vector<Preset> soundModels() {
  const SchemeChoice sinusoids =
      choiceOf("sinusoidal", {{"columns", std::string("concatenated")}, {"frequencies", std::string("endpoint")}});
  return {
      {"whisper-tiny-audio",
       "Whisper tiny, 1500 × 384",
       modelShape(1500, 384, 6, 0, 64, 4),
       both_sides,
       1500,
       sinusoids,
       "openai/whisper-tiny/config.json; arXiv:2212.04356",
       {"The encoder: 1500 fixed rows for 30 seconds of sound.", "编码器：30 秒声音对应 1500 行固定的正弦值。"}},
      {"whisper-tiny-text",
       "Whisper tiny, 448 × 384",
       modelShape(448, 384, 6, 0, 64, 4),
       causalMask(),
       448,
       learnedChoice("normal", 448),
       "openai/whisper-tiny/config.json; arXiv:2212.04356",
       {"The decoder: a learned table of 448 rows.", "解码器：448 行的可学习位置表。"}},
  };
}

}  // namespace

std::vector<Preset> perceptionModels() {
  std::vector<Preset> all;
  for (auto part : {learnedPictures(), windowedPictures(), turnedPictures(), videoModels(), soundModels()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace posiscope::models
