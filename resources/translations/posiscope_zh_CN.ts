<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>FigureMenu</name>
    <message>
        <source>Save the figure</source>
        <translation>保存图形</translation>
    </message>
    <message>
        <source>Copy as image</source>
        <translation>复制为图像</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>矢量图</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>FileQuestions</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Sessions (*.json)</source>
        <translation>会话 (*.json)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>Save the changes to “%1” in a session file?</source>
        <translation>是否将对“%1”的更改保存到会话文件？</translation>
    </message>
    <message>
        <source>Without a file nothing is lost at once: the window opens next time as you leave it now.</source>
        <translation>不保存到文件也不会立即丢失：下次打开时，窗口仍是现在的样子。</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存并关闭</translation>
    </message>
    <message>
        <source>Sessions, models, arrays (*.json *.safetensors *.npy *.npz)</source>
        <translation>会话、模型、数组 (*.json *.safetensors *.npy *.npz)</translation>
    </message>
    <message>
        <source>Arrays (*.npy *.npz *.safetensors)</source>
        <translation>数组 (*.npy *.npz *.safetensors)</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Known models</source>
        <translation>已知模型</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>最近的文件</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Add a scheme</source>
        <translation>添加方案</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Step a value; Shift coarse, Alt fine</source>
        <translation>逐步调整数值；Shift 粗调，Alt 细调</translation>
    </message>
    <message>
        <source>Move a scheme up or down</source>
        <translation>上移或下移方案</translation>
    </message>
    <message>
        <source>Show or hide a scheme</source>
        <translation>显示或隐藏方案</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Duplicate, remove a scheme</source>
        <translation>复制、移除方案</translation>
    </message>
    <message>
        <source>Select a range in all linked views; as shown</source>
        <translation>在所有关联视图中选取范围；取当前所示范围</translation>
    </message>
    <message>
        <source>Shift+drag, S</source>
        <translation>Shift+拖动，S</translation>
    </message>
    <message>
        <source>Double-click, 0</source>
        <translation>双击，0</translation>
    </message>
    <message>
        <source>Show all again in linked views; once more, the part as before</source>
        <translation>在联动的视图中显示全部；再按一次回到之前的范围</translation>
    </message>
    <message>
        <source>The example could not be written to the folder of the program&apos;s data.</source>
        <translation>无法将示例写入程序数据文件夹。</translation>
    </message>
    <message>
        <source>Trained examples</source>
        <translation>训练好的示例</translation>
    </message>
    <message>
        <source>Back from a maximised tile; else stop the computation</source>
        <translation>从最大化的图块返回；否则停止计算</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>Message</name>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>more</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Show one line of this message</source>
        <translation>只显示这条消息的一行</translation>
    </message>
    <message>
        <source>Show all of this message</source>
        <translation>显示这条消息的全部内容</translation>
    </message>
</context>
<context>
    <name>Readout</name>
    <message>
        <source>pair p</source>
        <translation>维度对 p</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>wavelength</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>turns in training</source>
        <translation>训练长度内的圈数</translation>
    </message>
    <message>
        <source>query i</source>
        <translation>查询 i</translation>
    </message>
    <message>
        <source>position i</source>
        <translation>位置 i</translation>
    </message>
    <message>
        <source>key j</source>
        <translation>键 j</translation>
    </message>
    <message>
        <source>offset i − j</source>
        <translation>偏移 i − j</translation>
    </message>
    <message>
        <source>dimension d</source>
        <translation>维度 d</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>map</source>
        <translation>图</translation>
    </message>
    <message>
        <source>nothing to attend to</source>
        <translation>没有可看的键</translation>
    </message>
</context>
<context>
    <name>Soundness</name>
    <message>
        <source>Same data in the same order for all encodings of a seed; same start values of everything but the position.</source>
        <translation>同一种子下所有编码使用相同顺序的相同数据；除位置外，所有参数的初始值相同。</translation>
    </message>
    <message>
        <source>%1 seeds, drawn as mean with a band from least to largest; at least 3 are needed, 5 to publish.</source>
        <translation>%1 个种子，画出平均值和从最小到最大的带；至少需要 3 个，发表需要 5 个。</translation>
    </message>
    <message>
        <source>Position and word rows start at equal length where a table is learned; their ratio is drawn.</source>
        <translation>位置表可学习时，位置向量与词向量的初始长度相同；二者之比已画出。</translation>
    </message>
    <message>
        <source>Parameter counts stand in the table; whole curves are kept, not the best step.</source>
        <translation>表中列出参数数量；保存整条曲线，而不是最好的一步。</translation>
    </message>
    <message>
        <source>One task is no ranking of encodings: another task can turn the order around. Wall time is not a quality.</source>
        <translation>一个任务不能给编码排名：换一个任务，次序可能颠倒。运行时间不是质量。</translation>
    </message>
    <message>
        <source>The head is tied: the norm of the word gradient contains the head&apos;s part.</source>
        <translation>输出头与词嵌入共享：词嵌入梯度的范数包含输出头的部分。</translation>
    </message>
    <message>
        <source>Not all runs have reached their last step: so far they were not trained equally long.</source>
        <translation>并非所有训练都到达最后一步：目前它们的训练步数不相等。</translation>
    </message>
    <message>
        <source>Same steps (%1), schedule and decay rule. One learning rate, %2, for all: it is not tuned to each.</source>
        <translation>步数（%1）、调度和衰减规则相同。所有编码共用一个学习率 %2，没有为每种编码分别调整。</translation>
    </message>
    <message>
        <source>One seed, without a spread; at least 3 are needed, 5 to publish.</source>
        <translation>只有一个种子，看不出离散程度；至少需要 3 个，发表需要 5 个。</translation>
    </message>
</context>
<context>
    <name>TrainingPlots</name>
    <message>
        <source>interpolation</source>
        <translation>插值</translation>
    </message>
    <message>
        <source>%1 cannot, from %2× on</source>
        <translation>%1 从 %2× 起无法运行</translation>
    </message>
    <message>
        <source>Longer sequences are measured at the end of a seed&apos;s runs.</source>
        <translation>每个种子训练结束后才测量更长的序列。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>times the trained length</source>
        <translation>训练长度的倍数</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>steps of fine-tuning</source>
        <translation>微调步数</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>训练长度</translation>
    </message>
    <message>
        <source>position i</source>
        <translation>位置 i</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>比值</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>chance</source>
        <translation>随机猜测</translation>
    </message>
    <message>
        <source>order-blind</source>
        <translation>不知顺序</translation>
    </message>
    <message>
        <source>0.1 to 1</source>
        <translation>0.1 至 1</translation>
    </message>
    <message>
        <source>mean of the last %1 steps</source>
        <translation>最近 %1 步的平均</translation>
    </message>
    <message>
        <source>no parameters of position: %1</source>
        <translation>没有位置参数：%1</translation>
    </message>
    <message>
        <source>no learned table beside the words: %1</source>
        <translation>词嵌入旁没有可学习的位置表：%1</translation>
    </message>
    <message>
        <source>The curve begins with the training.</source>
        <translation>训练开始后才有曲线。</translation>
    </message>
    <message>
        <source>None of these encodings has parameters.</source>
        <translation>这些编码都没有参数。</translation>
    </message>
    <message>
        <source>None of these encodings has a learned table beside the words.</source>
        <translation>这些编码都没有与词嵌入相加的可学习位置表。</translation>
    </message>
    <message>
        <source>Only the induction task has this score.</source>
        <translation>只有归纳任务有此得分。</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头数</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::AttentionMaps</name>
    <message>
        <source>key j</source>
        <translation>键 j</translation>
    </message>
    <message>
        <source>query i</source>
        <translation>查询 i</translation>
    </message>
    <message>
        <source>What this head mostly does; previous: the mean weight it gives to the token before; induction: to what followed the same token last time.</source>
        <translation>这个头主要做什么；“前一词元”：它给前一个词元的平均权重；“归纳”：给同一词元上次出现之后那个词元的平均权重。</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::AttentionTab</name>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>previous token, strongest head</source>
        <translation>前一词元，最强的头</translation>
    </message>
    <message>
        <source>induction, strongest head</source>
        <translation>归纳，最强的头</translation>
    </message>
    <message>
        <source>heads of the kind: %1</source>
        <translation>此类头的数量：%1</translation>
    </message>
    <message>
        <source>previous %1</source>
        <translation>前一词元 %1</translation>
    </message>
    <message>
        <source>induction %1</source>
        <translation>归纳 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>not there yet</source>
        <translation>尚未得到</translation>
    </message>
    <message>
        <source>Choose an experiment and press Start.</source>
        <translation>选择一个实验，然后按“开始”。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Go through the snapshots</source>
        <translation>依次播放快照</translation>
    </message>
    <message>
        <source>Snapshots by step</source>
        <translation>按步数排列的快照</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>What is drawn over the steps</source>
        <translation>随步数绘制的量</translation>
    </message>
    <message>
        <source>log steps</source>
        <translation>步数取对数</translation>
    </message>
    <message>
        <source>Logarithmic axis of steps</source>
        <translation>步数轴为对数</translation>
    </message>
    <message>
        <source>Export the maps</source>
        <translation>导出热图</translation>
    </message>
    <message>
        <source>Attention of the chosen head</source>
        <translation>所选头的注意力</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::Commands</name>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Open a model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Start session: Llama 3.1 scalings</source>
        <translation>起始会话：Llama 3.1 的各种缩放</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Add a scheme…</source>
        <translation>添加方案…</translation>
    </message>
    <message>
        <source>One tile</source>
        <translation>单格布局</translation>
    </message>
    <message>
        <source>Two tiles</source>
        <translation>双格布局</translation>
    </message>
    <message>
        <source>Four tiles</source>
        <translation>四格布局</translation>
    </message>
    <message>
        <source>Maximise the tile</source>
        <translation>最大化当前视图</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查面板</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Copy as image</source>
        <translation>复制为图像</translation>
    </message>
    <message>
        <source>Pin the present curves</source>
        <translation>固定当前曲线</translation>
    </message>
    <message>
        <source>Cancel the computation</source>
        <translation>取消计算</translation>
    </message>
    <message>
        <source>Find everything…</source>
        <translation>查找一切…</translation>
    </message>
    <message>
        <source>切换到中文</source>
        <translation>Switch to English</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Theme of the desktop</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>About the selected scheme</source>
        <translation>关于所选方案</translation>
    </message>
    <message>
        <source>Let the pinned curves go</source>
        <translation>取消固定的曲线</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>恢复正常大小</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>从下次启动起生效</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::ContentPanel</name>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::CurveView</name>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1：从 %2 到 %3</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::CurvesTab</name>
    <message>
        <source>Choose an experiment and press Start.</source>
        <translation>选择一个实验，然后按“开始”。</translation>
    </message>
    <message>
        <source>log steps</source>
        <translation>步数取对数</translation>
    </message>
    <message>
        <source>Logarithmic axis of steps</source>
        <translation>步数轴为对数</translation>
    </message>
    <message>
        <source>log values</source>
        <translation>数值取对数</translation>
    </message>
    <message>
        <source>Logarithmic axis of values</source>
        <translation>数值轴为对数</translation>
    </message>
    <message>
        <source>training curves:</source>
        <translation>训练曲线：</translation>
    </message>
    <message>
        <source>Smoothing of the training curves</source>
        <translation>训练曲线的平滑</translation>
    </message>
    <message>
        <source>every step</source>
        <translation>每一步</translation>
    </message>
    <message>
        <source>mean of %1 steps</source>
        <translation>%1 步的平均</translation>
    </message>
    <message>
        <source>Evaluation loss</source>
        <translation>评估损失</translation>
    </message>
    <message>
        <source>Evaluation accuracy</source>
        <translation>评估准确率</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Training accuracy</source>
        <translation>训练准确率</translation>
    </message>
    <message>
        <source>Position gradient</source>
        <translation>位置梯度</translation>
    </message>
    <message>
        <source>Word gradient</source>
        <translation>词嵌入梯度</translation>
    </message>
    <message>
        <source>Position gradient / word gradient</source>
        <translation>位置梯度 / 词嵌入梯度</translation>
    </message>
    <message>
        <source>Position rows / word rows</source>
        <translation>位置向量 / 词向量的长度</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::Document</name>
    <message>
        <source>%1 holds nothing that tells which positional encoding it uses.</source>
        <translation>从 %1 中看不出它使用哪种位置编码。</translation>
    </message>
    <message>
        <source>last session</source>
        <translation>上次会话</translation>
    </message>
    <message>
        <source>compare scalings</source>
        <translation>比较各种缩放</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 opened.</source>
        <translation>已打开 %1。</translation>
    </message>
    <message>
        <source>%1 opened in place of %2; its sizes do not allow %3, which went too.</source>
        <translation>已打开 %1，取代 %2；其尺寸不容许 %3，因此一并移除。</translation>
    </message>
    <message>
        <source>%1 opened in place of %2.</source>
        <translation>已打开 %1，取代 %2。</translation>
    </message>
    <message>
        <source>%1 opened in place of %2; the other schemes stay.</source>
        <translation>已打开 %1，取代 %2；其余方案保留。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>The scheme that the array was read for is not there any more.</source>
        <translation>要使用该数组的位置编码已不存在。</translation>
    </message>
    <message>
        <source>The tokens are those of %1 in the model&apos;s folder.</source>
        <translation>词元取自模型文件夹中的 %1。</translation>
    </message>
    <message>
        <source>The tokens are not those of %1 in the model&apos;s folder: %2.</source>
        <translation>未使用模型文件夹中 %1 的词元：%2。</translation>
    </message>
    <message>
        <source>%1 in the model&apos;s folder is not taken: every token is of segment 0; it can be opened under Content.</source>
        <translation>未使用模型文件夹中的 %1：所有词元都属于第 0 段；可在“内容”中打开该文件。</translation>
    </message>
    <message>
        <source>Length %1 of %2: few enough tokens to be had at once; Undo brings %2 back.</source>
        <translation>长度由 %2 改为 %1：词元少，可立即算出；撤销即可恢复 %2。</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::EncodingList</name>
    <message>
        <source>add an encoding</source>
        <translation>添加编码</translation>
    </message>
    <message>
        <source>Add an encoding to train</source>
        <translation>添加一种要训练的编码</translation>
    </message>
    <message>
        <source>Constants of this encoding</source>
        <translation>此编码的常数</translation>
    </message>
    <message>
        <source>Leave %1 out</source>
        <translation>去掉 %1</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::Exporter</name>
    <message>
        <source>SVG figure…</source>
        <translation>SVG 图形…</translation>
    </message>
    <message>
        <source>PDF figure…</source>
        <translation>PDF 图形…</translation>
    </message>
    <message>
        <source>PNG picture…</source>
        <translation>PNG 图片…</translation>
    </message>
    <message>
        <source>Numbers as CSV…</source>
        <translation>数据（CSV）…</translation>
    </message>
    <message>
        <source>Numbers as NPY…</source>
        <translation>数据（NPY）…</translation>
    </message>
    <message>
        <source>Copy as image</source>
        <translation>复制为图像</translation>
    </message>
    <message>
        <source>Width in pixels of 1/96 inch</source>
        <translation>宽度（像素，1/96 英寸）</translation>
    </message>
    <message>
        <source>Height in pixels of 1/96 inch</source>
        <translation>高度（像素，1/96 英寸）</translation>
    </message>
    <message>
        <source>Resolution of PNG in dots per inch</source>
        <translation>PNG 的分辨率（每英寸点数）</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Files of this name exist already: %1</source>
        <translation>同名文件已存在：%1</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写出 %1…</translation>
    </message>
    <message>
        <source>Writing %1… %2 %</source>
        <translation>正在写出 %1… %2 %</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::Finder</name>
    <message>
        <source>Nothing is called “%1”. Escape closes this list.</source>
        <translation>没有名为“%1”的条目。按 Esc 关闭此列表。</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::Inspector</name>
    <message>
        <source>Under the pointer</source>
        <translation>指针处</translation>
    </message>
    <message>
        <source>Point at a picture to read its values.</source>
        <translation>将指针移到图上即可读取数值。</translation>
    </message>
    <message>
        <source>By scheme</source>
        <translation>各方案</translation>
    </message>
    <message>
        <source>How to read this</source>
        <translation>如何看这张图</translation>
    </message>
    <message>
        <source>Verdict at %1</source>
        <translation>长度 %1 时的结论</translation>
    </message>
    <message>
        <source>term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>Which term of the formula the number is, with its numbers</source>
        <translation>该数值是公式中的哪一项，已代入数字</translation>
    </message>
    <message>
        <source>term of the formula</source>
        <translation>公式的项</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::LengthTab</name>
    <message>
        <source>Fine-tuned at %1× the trained length</source>
        <translation>在训练长度的 %1× 上微调</translation>
    </message>
    <message>
        <source>Choose an experiment and press Start.</source>
        <translation>选择一个实验，然后按“开始”。</translation>
    </message>
    <message>
        <source>last eighth only</source>
        <translation>只看最后八分之一</translation>
    </message>
    <message>
        <source>The loss of the last eighth of the positions: the whole sequence hides a late collapse</source>
        <translation>最后八分之一位置上的损失：整条序列的平均会掩盖后段的崩溃</translation>
    </message>
    <message>
        <source>log values</source>
        <translation>数值取对数</translation>
    </message>
    <message>
        <source>Logarithmic axis of values</source>
        <translation>数值轴为对数</translation>
    </message>
    <message>
        <source>by position at</source>
        <translation>按位置，长度为</translation>
    </message>
    <message>
        <source>Multiple of the trained length</source>
        <translation>训练长度的倍数</translation>
    </message>
    <message>
        <source>Loss beyond the trained length</source>
        <translation>超出训练长度的损失</translation>
    </message>
    <message>
        <source>Loss by position</source>
        <translation>各位置的损失</translation>
    </message>
    <message>
        <source>The same weights on longer sequences, without further training. A rotation is also stretched by the same factor: interpolation, NTK, YaRN. Pictures grow in both directions, by the root of it.</source>
        <translation>同一组权重用于更长的序列，不再训练。旋转编码还按相同倍数拉伸：插值、NTK、YaRN。图像的高和宽都增大，各乘以该倍数的平方根。</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::MainWindow</name>
    <message>
        <source>The window is too narrow for the inspector</source>
        <translation>窗口太窄，放不下检查面板</translation>
    </message>
    <message>
        <source>Find commands, views, schemes, models, files</source>
        <translation>查找命令、视图、方案、模型、文件</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>打开模型文件夹</translation>
    </message>
    <message>
        <source>Open a session, a model or an array</source>
        <translation>打开会话、模型或数组</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Choose an array</source>
        <translation>选择数组</translation>
    </message>
    <message>
        <source>Find the file…</source>
        <translation>查找文件…</translation>
    </message>
    <message>
        <source>Find the file</source>
        <translation>查找文件</translation>
    </message>
    <message>
        <source>Exported: %1</source>
        <translation>已导出：%1</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>Fit here</source>
        <translation>适合此处</translation>
    </message>
    <message>
        <source>Do not fit here</source>
        <translation>不适合此处</translation>
    </message>
    <message>
        <source>Which tensor of %1?</source>
        <translation>选择 %1 中的哪个张量？</translation>
    </message>
    <message>
        <source>Text and controls will have %1 % of their size the next time Posiscope starts.</source>
        <translation>下次启动 Posiscope 时，文字和控件将以 %1 % 的大小显示。</translation>
    </message>
    <message>
        <source>Show its attention</source>
        <translation>显示其注意力</translation>
    </message>
    <message>
        <source>Find the folder…</source>
        <translation>查找文件夹…</translation>
    </message>
    <message>
        <source>Find the folder</source>
        <translation>查找文件夹</translation>
    </message>
    <message>
        <source>A training was cut off when the program ended. It can go on from its last checkpoint.</source>
        <translation>程序结束时有一次训练被中断，可从最后一个检查点继续。</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>The weights of this model can be run: its own attention is to be had on up to 64 tokens: those of tokens.npy beside it, else drawn from the seed; or ids that are typed or opened under Content.</source>
        <translation>该模型的权重可以运行：可查看它自己在至多 64 个词元上的注意力：词元取自同一文件夹中的 tokens.npy，没有则由种子随机生成；也可在“内容”中输入或打开词元编号。</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::MessageStrip</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::OverrideNote</name>
    <message>
        <source>revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Back to the model&apos;s value</source>
        <translation>恢复为模型中的值</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::ParamRow</name>
    <message>
        <source>from the seed</source>
        <translation>由种子生成</translation>
    </message>
    <message>
        <source>Let go of this file</source>
        <translation>不再使用此文件</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>Changed; a double click on the name or the slider resets it</source>
        <translation>已更改；双击名称或滑块可恢复默认值</translation>
    </message>
    <message>
        <source>edit the example</source>
        <translation>编辑示例</translation>
    </message>
    <message>
        <source>Put the example into the field, to be changed</source>
        <translation>把示例填入输入框以便修改</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>无文件</translation>
    </message>
    <message>
        <source>Choose a .npy, .npz or .safetensors file</source>
        <translation>选择 .npy、.npz 或 .safetensors 文件</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::PlotBox</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::RunStrip</name>
    <message>
        <source>The comparison that is shown</source>
        <translation>正在显示的对比</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>End this training; what it found so far stays</source>
        <translation>结束这次训练；已得到的结果保留</translation>
    </message>
    <message>
        <source>Open a saved comparison</source>
        <translation>打开已保存的对比</translation>
    </message>
    <message>
        <source>Save settings, curves, attention and results in one file</source>
        <translation>把设置、曲线、注意力和结果保存到一个文件</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>running</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on with this training</source>
        <translation>继续这次训练</translation>
    </message>
    <message>
        <source>Stop for a while; nothing is lost</source>
        <translation>暂时停下；不会丢失任何内容</translation>
    </message>
    <message>
        <source>%1, paused</source>
        <translation>%1，已暂停</translation>
    </message>
    <message>
        <source>%1, about %2 left</source>
        <translation>%1，约剩 %2</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Go on where this training ended</source>
        <translation>从这次训练结束的地方继续</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Take this comparison off the list, with everything that was kept of it</source>
        <translation>从列表中移除这次对比，连同为它保存的一切</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Open results…</source>
        <translation>打开结果…</translation>
    </message>
    <message>
        <source>Save results…</source>
        <translation>保存结果…</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>随附</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::SchemeList</name>
    <message>
        <source>hidden</source>
        <translation>已隐藏</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::SchemePanel</name>
    <message>
        <source>Schemes</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Schemes being compared</source>
        <translation>正在比较的方案</translation>
    </message>
    <message>
        <source>add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add a scheme to compare</source>
        <translation>添加要比较的方案</translation>
    </message>
    <message>
        <source>Duplicate this scheme</source>
        <translation>复制此方案</translation>
    </message>
    <message>
        <source>Remove this scheme</source>
        <translation>移除此方案</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Del</translation>
    </message>
    <message>
        <source>reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Set all parameters of this scheme back to their defaults</source>
        <translation>将此方案的所有参数恢复为默认值</translation>
    </message>
    <message>
        <source>Nothing is compared yet. Add a scheme, or open a model.</source>
        <translation>还没有可比较的方案。请添加方案或打开模型。</translation>
    </message>
    <message>
        <source>At most %1 schemes can be compared at once</source>
        <translation>最多同时比较 %1 个方案</translation>
    </message>
    <message>
        <source>Find a scheme</source>
        <translation>查找方案</translation>
    </message>
    <message>
        <source>About this scheme: formula, traps, known users, reference</source>
        <translation>关于此方案：公式、易错处、使用者、文献</translation>
    </message>
    <message>
        <source>boundaries at the ends of sentences</source>
        <translation>以句末为边界</translation>
    </message>
    <message>
        <source>Set the boundaries to the ends of the sentences and lines of the typed text</source>
        <translation>将边界设为输入文本中各句、各行的末尾</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::SetupPanel</name>
    <message>
        <source>more…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Choose a text to train on</source>
        <translation>选择用于训练的文本</translation>
    </message>
    <message>
        <source>Waits until what is trained now has ended.</source>
        <translation>等待当前训练结束。</translation>
    </message>
    <message>
        <source>Time and memory: being estimated…</source>
        <translation>时间和内存：正在估算…</translation>
    </message>
    <message>
        <source>%1 runs · about %2 · about %3 MB · up to %4 parameters</source>
        <translation>%1 次训练 · 约 %2 · 约 %3 MB · 最多 %4 个参数</translation>
    </message>
    <message>
        <source>Put in the queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Train all encodings with all seeds (%1)</source>
        <translation>用所有种子训练所有编码（%1）</translation>
    </message>
    <message>
        <source>Ready experiments</source>
        <translation>现成的实验</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Encodings</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>choose a text file…</source>
        <translation>选择文本文件…</translation>
    </message>
    <message>
        <source>Width %1, %2 heads, %3 layers</source>
        <translation>宽度 %1，%2 个头，%3 层</translation>
    </message>
    <message>
        <source>Train anew</source>
        <translation>重新训练</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::ShapePanel</name>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>more…</source>
        <translation>更多…</translation>
    </message>
    <message>
        <source>less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show all sizes</source>
        <translation>显示全部尺寸</translation>
    </message>
    <message>
        <source>Show only the usual sizes</source>
        <translation>只显示常用尺寸</translation>
    </message>
    <message>
        <source>Open %1: its encoding and its sizes</source>
        <translation>打开 %1：其位置编码与尺寸</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::StatusStrip</name>
    <message>
        <source>cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the computation</source>
        <translation>取消计算</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Ctrl+K finds everything</source>
        <translation>Ctrl+K 查找一切</translation>
    </message>
    <message numerus="yes">
        <source>%n view(s)</source>
        <translation>
            <numerusform>%n 个视图</numerusform>
        </translation>
    </message>
    <message>
        <source> · %1 ms</source>
        <translation> · %1 毫秒</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s)</source>
        <translation>
            <numerusform>%n 个线程</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::SummaryTab</name>
    <message>
        <source>refused</source>
        <translation>无法训练</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>保存为 CSV…</translation>
    </message>
    <message>
        <source>Save the table as CSV</source>
        <translation>把表格保存为 CSV</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy the table as CSV</source>
        <translation>把表格复制为 CSV</translation>
    </message>
    <message>
        <source>encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>of position</source>
        <translation>其中位置</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>loss 2×</source>
        <translation>损失 2×</translation>
    </message>
    <message>
        <source>loss 4×</source>
        <translation>损失 4×</translation>
    </message>
    <message>
        <source>loss 8×</source>
        <translation>损失 8×</translation>
    </message>
    <message>
        <source>index R²</source>
        <translation>位置 R²</translation>
    </message>
    <message>
        <source>acc. without</source>
        <translation>去掉编码</translation>
    </message>
    <message>
        <source>acc. shuffled</source>
        <translation>打乱位置</translation>
    </message>
    <message>
        <source>All learned parameters</source>
        <translation>所有可学习的参数</translation>
    </message>
    <message>
        <source>Evaluation split</source>
        <translation>评估集</translation>
    </message>
    <message>
        <source>How much of a token&apos;s index can be read off its last hidden row by ridge regression</source>
        <translation>用岭回归能从词元最后的隐藏向量中读出多少位置信息</translation>
    </message>
    <message>
        <source>Accuracy of the same weights without their encoding</source>
        <translation>同一组权重去掉编码后的准确率</translation>
    </message>
    <message>
        <source>Accuracy when every token is told another one&apos;s position</source>
        <translation>给每个词元换上别的词元的位置时的准确率</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有训练</translation>
    </message>
    <message>
        <source>Open the trained model of the chosen row in the attention views, once its training has ended</source>
        <translation>在注意力视图中打开所选行训练好的模型；训练结束后可用</translation>
    </message>
    <message>
        <source>These are numbers read from a file, which holds no weights; trained here the models open</source>
        <translation>这些是从文件读入的数值，文件中没有权重；在此训练后即可打开模型</translation>
    </message>
    <message>
        <source>Open in the attention views</source>
        <translation>在注意力视图中打开</translation>
    </message>
    <message>
        <source>index hit</source>
        <translation>位置命中</translation>
    </message>
    <message>
        <source>Of start values and data</source>
        <translation>决定初始值和数据</translation>
    </message>
    <message>
        <source>Trained so far</source>
        <translation>目前已训练</translation>
    </message>
    <message>
        <source>How many of the parameters belong to the encoding</source>
        <translation>其中属于编码的参数个数</translation>
    </message>
    <message>
        <source>Loss at twice the trained length, without further training</source>
        <translation>在训练长度的 2 倍处的损失，不再训练</translation>
    </message>
    <message>
        <source>Loss at four times the trained length, without further training</source>
        <translation>在训练长度的 4 倍处的损失，不再训练</translation>
    </message>
    <message>
        <source>Loss at eight times the trained length, without further training</source>
        <translation>在训练长度的 8 倍处的损失，不再训练</translation>
    </message>
    <message>
        <source>Share of the tokens whose index is read off exactly, rounded</source>
        <translation>读出的位置取整后恰好正确的词元所占的比例</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::TileHeader</name>
    <message>
        <source>Choose a view</source>
        <translation>选择视图</translation>
    </message>
    <message>
        <source>%1: change the view</source>
        <translation>%1：更换视图</translation>
    </message>
    <message>
        <source>Click to change the view, double-click to maximise, drag onto another tile to swap</source>
        <translation>单击更换视图，双击最大化，拖到另一格可互换</translation>
    </message>
    <message>
        <source>Options of this view</source>
        <translation>此视图的选项</translation>
    </message>
    <message>
        <source>Export this view</source>
        <translation>导出此视图</translation>
    </message>
    <message>
        <source>Back to all tiles</source>
        <translation>返回全部视图</translation>
    </message>
    <message>
        <source>Maximise this tile</source>
        <translation>最大化此视图</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>head %1 of %2</source>
        <translation>头 %1（共 %2）</translation>
    </message>
    <message>
        <source>Choose the head</source>
        <translation>选择注意力头</translation>
    </message>
    <message>
        <source>Find a view</source>
        <translation>查找视图</translation>
    </message>
    <message>
        <source>Choose the scheme (now %1)</source>
        <translation>选择方案（现为 %1）</translation>
    </message>
    <message>
        <source>More of this tile</source>
        <translation>此格的更多操作</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::TileNotice</name>
    <message>
        <source>The computation was cancelled.</source>
        <translation>计算已取消。</translation>
    </message>
    <message>
        <source>Compute again</source>
        <translation>重新计算</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::ToolBar</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a session, a model or an array</source>
        <translation>打开会话、模型或数组</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export a view or its numbers</source>
        <translation>导出视图或数据</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>All commands</source>
        <translation>全部命令</translation>
    </message>
</context>
<context>
    <name>posiscope::ui::TrainingPage</name>
    <message>
        <source>Undo the last change of the settings</source>
        <translation>撤销对设置的上一次更改</translation>
    </message>
    <message>
        <source>Redo the change of the settings</source>
        <translation>重做对设置的更改</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
    <message>
        <source>Open a comparison</source>
        <translation>打开对比</translation>
    </message>
    <message>
        <source>Comparisons (*.safetensors)</source>
        <translation>对比 (*.safetensors)</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>保存对比</translation>
    </message>
    <message>
        <source>← back to the views</source>
        <translation>← 返回视图</translation>
    </message>
    <message>
        <source>Back to the views</source>
        <translation>返回视图</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Beyond the length</source>
        <translation>超出长度</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>所有训练</translation>
    </message>
    <message>
        <source>These results came with the program: trained on %1 by version %2.</source>
        <translation>这些结果随程序提供：%1 由版本 %2 训练。</translation>
    </message>
    <message>
        <source> The settings were exactly those at the left: “Train anew” does it here.</source>
        <translation>所用设置与左侧完全相同：“重新训练”会在此重做一遍。</translation>
    </message>
    <message>
        <source>The program ended while this was trained. “Go on” continues from the last checkpoint.</source>
        <translation>训练期间程序结束了。“继续”从最后一个检查点接着训练。</translation>
    </message>
    <message>
        <source>Nothing to export yet</source>
        <translation>还没有可导出的内容</translation>
    </message>
</context>
</TS>
